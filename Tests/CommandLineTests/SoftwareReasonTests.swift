import Foundation
import Glibc
import Testing

@testable import kfrec

@Suite("Why the processor renders")
struct SoftwareReasonTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("kfrec-devices-\(UUID().uuidString)").path

  private func reason(nodes: [String], driverFiles: String? = nil) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder + "/dri", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for node in nodes {
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(node)", contents: nil))
    }
    return SoftwareReason(devices: folder, driverFiles: driverFiles).text
  }

  @Test("without a device file there is no GPU, and a container must be given one")
  func noDevice() throws {
    let text = try reason(nodes: ["dri/card0"])
    #expect(text.hasPrefix("there is no GPU"))
    #expect(text.contains("--device /dev/dri"))
  }

  @Test("without a folder of device files there is no GPU either")
  func noFolder() {
    #expect(SoftwareReason(devices: folder, driverFiles: nil).text.hasPrefix("there is no GPU"))
  }

  @Test("a device that no driver uses is named, the one with the lowest number first")
  func noDriver() throws {
    let text = try reason(nodes: ["dri/renderD129", "dri/renderD128", "nvidiactl"])
    #expect(text.hasPrefix("\(folder)/dri/renderD128 is there, but no Vulkan driver uses it"))
    #expect(try reason(nodes: ["nvidiactl"]).hasPrefix("\(folder)/nvidiactl is there"))
  }

  @Test("an environment that chooses the drivers is named")
  func chosenDriver() throws {
    #expect(
      try reason(nodes: ["dri/renderD128"], driverFiles: "/x/lvp_icd.json")
        .contains("load only /x/lvp_icd.json"))
  }
}
