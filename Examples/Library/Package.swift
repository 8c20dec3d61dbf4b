// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "apply-effect",
  // A package of your own names a release: .package(url: "https://…/kfrec", exact: "0.1.0").
  dependencies: [.package(name: "kfrec", path: "../..")],
  targets: [
    .executableTarget(
      name: "apply-effect",
      dependencies: ["Capture", "Effects", "Render", "Encode"].map {
        .product(name: $0, package: "kfrec")
      })
  ],
  swiftLanguageModes: [.v6]
)
