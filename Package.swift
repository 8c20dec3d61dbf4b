// swift-tools-version: 6.2
import Glibc
import PackageDescription

// Warnings are errors where the Makefile asks for it (CI does), so that a newer compiler's new
// warning cannot break a user's build.
let strict: [SwiftSetting] =
  Context.environment["KFREC_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
  strict + [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableExperimentalFeature("Lifetimes"),
  ]

// `make fuzz` builds one program more, whose entry is libFuzzer's; the program's own modules are a library for it.
let isFuzzed = Context.environment["KFREC_FUZZ"] != nil

// The parts of glslang, in the order of their needs; the first three lie in `glslang` since its version 15, of Debian 13.
let glslang = [
  "MachineIndependent", "HLSL", "OGLCompiler", "GenericCodeGen", "OSDependent",
].filter { name in
  ["", "/x86_64-linux-gnu", "/aarch64-linux-gnu"].contains {
    access("/usr/lib\($0)/lib\(name).a", R_OK) == 0
  }
}

// Words typed -> a recording -> exit code.
let commandLineModules: [Target.Dependency] = [
  "Player", "Batch", "Control", "CPosix", "Frames", "FFmpegHandles", "Capture", "GPU",
  "Settings", "ShaderCompiler", "ShaderEffects", "Render", "EffectLab", "Encode", "Recorder",
  "Terminal", "Web", "Window",
]
let commandLine: Target =
  isFuzzed
  ? .target(
    name: "kfrec", dependencies: commandLineModules, exclude: ["README.md", "main.swift"],
    swiftSettings: settings)
  : .executableTarget(
    name: "kfrec", dependencies: commandLineModules, exclude: ["README.md"],
    swiftSettings: settings)

let package = Package(
  name: "kfrec",
  products: [
    .executable(name: "kfrec", targets: ["kfrec"]),
    // The stages, for other programs (docs/library.md); each with the modules of which its interface is made.
    .library(name: "Capture", targets: ["Capture", "FFmpegHandles", "Frames"]),
    .library(name: "Effects", targets: ["ShaderEffects", "ShaderCompiler", "GPU", "Frames"]),
    .library(
      name: "Render", targets: ["Render", "ShaderEffects", "ShaderCompiler", "GPU", "Frames"]),
    .library(name: "Encode", targets: ["Encode", "FFmpegHandles", "Frames"]),
    // Preloaded by a test to count the program's allocations.
    .library(name: "AllocationTrace", type: .dynamic, targets: ["AllocationTrace"]),
    // Preloaded by a test to leave the program without threads.
    .library(name: "ThreadLimit", type: .dynamic, targets: ["ThreadLimit"]),
    // Preloaded by a test to lose the display while a window is closed.
    .library(name: "DisplayCut", type: .dynamic, targets: ["DisplayCut"]),
    // Preloaded by a test to have an older FFmpeg.
    .library(name: "OldFFmpeg", type: .dynamic, targets: ["OldFFmpeg"]),
  ],
  targets: [
    // C libraries: a module map and a header each, nothing else.
    .systemLibrary(
      name: "CFFmpeg",
      providers: [
        .apt([
          "libavcodec-dev", "libavfilter-dev", "libavformat-dev", "libavutil-dev",
          "libswresample-dev", "libswscale-dev",
        ])
      ]),
    .systemLibrary(name: "CVulkan", providers: [.apt(["libvulkan-dev"])]),
    .systemLibrary(
      name: "CShaderc", providers: [.apt(["libshaderc-dev", "glslang-dev", "spirv-tools"])]),
    .systemLibrary(name: "CV4L2", providers: [.apt(["libv4l-dev"])]),
    .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(
      name: "CXCB",
      providers: [
        .apt(["libxcb1-dev", "libxcb-composite0-dev", "libxcb-shm0-dev", "libxcb-xfixes0-dev"])
      ]),
    .systemLibrary(name: "CSDL", providers: [.apt(["libsdl2-dev", "libsdl2-ttf-dev"])]),
    .systemLibrary(name: "CRubberBand", providers: [.apt(["librubberband-dev"])]),
    .systemLibrary(
      name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev", "pkg-config"])]),
    .systemLibrary(name: "CLCMS", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CLibass", providers: [.apt(["libass-dev", "libfontconfig-dev"])]),
    .systemLibrary(name: "CPosix"),

    // Files that save work from one run to the next.
    .target(
      name: "DiskCache", dependencies: ["CPosix", "Frames"], exclude: ["README.md"],
      swiftSettings: settings),

    // What a frame is.
    .target(
      name: "Frames", dependencies: ["CPosix"], exclude: ["README.md"], swiftSettings: settings),
    // How options are written.
    .target(
      name: "Settings", dependencies: ["Frames"], exclude: ["README.md"], swiftSettings: settings),
    .target(
      name: "FFmpegHandles", dependencies: ["CFFmpeg", "Frames"], exclude: ["README.md"],
      swiftSettings: settings),

    .target(
      name: "V4L2Handles", dependencies: ["CPosix", "CV4L2", "Frames"], exclude: ["README.md"],
      swiftSettings: settings),
    .target(
      name: "ALSAHandles", dependencies: ["CALSA"], exclude: ["README.md"], swiftSettings: settings),
    .target(
      name: "XCBHandles", dependencies: ["CPosix", "CXCB", "Frames"], exclude: ["README.md"],
      swiftSettings: settings),

    // capture -> upload -> effects -> readback -> encode
    .target(
      name: "Capture",
      dependencies: [
        "Frames", "FFmpegHandles", "CFFmpeg", "CPosix", "CV4L2", "V4L2Handles", "ALSAHandles",
        "CLCMS", "CRubberBand", "Settings", "XCBHandles",
      ], exclude: ["README.md"],
      swiftSettings: settings),
    // SPIRV-Tools' optimizer, which has no interface for C.
    .target(name: "SPIRVOptimizer"),
    .target(
      name: "ShaderCompiler", dependencies: ["CPosix", "CShaderc", "DiskCache", "SPIRVOptimizer"],
      exclude: ["README.md"],
      swiftSettings: settings, linkerSettings: glslang.map { .linkedLibrary($0) }),
    .target(
      name: "GPU", dependencies: ["Frames", "DiskCache", "ShaderCompiler", "CVulkan"],
      exclude: ["README.md"],
      swiftSettings: settings),
    // Words as pixels.
    .target(
      name: "Text", dependencies: ["CLibass", "Frames"], exclude: ["README.md"],
      swiftSettings: settings),
    .target(
      name: "ShaderEffects",
      dependencies: ["Frames", "GPU", "ShaderCompiler", "Text"],
      exclude: ["README.md"],
      swiftSettings: settings),
    // Upload, effects and readback, put together: frames in, frames out.
    .target(
      name: "Render", dependencies: ["Frames", "GPU", "ShaderCompiler", "ShaderEffects"],
      exclude: ["README.md"],
      swiftSettings: settings),
    // Changes of parameters from outside, while a recording runs.
    .target(
      name: "Control",
      dependencies: ["ALSAHandles", "CPosix", "Frames", "Settings", "ShaderEffects"],
      exclude: ["README.md"],
      swiftSettings: settings),
    // The page and OSCQuery of a running recording.
    .target(
      name: "Web", dependencies: ["CMicroHTTPD", "CPosix", "Control", "Frames", "ShaderEffects"],
      exclude: ["README.md"], resources: [.embedInCode("Page.html")], swiftSettings: settings),
    // What judges effects: kfrec check, kfrec golden.
    .target(
      name: "EffectLab",
      dependencies: ["Frames", "DiskCache", "GPU", "ShaderCompiler", "ShaderEffects", "Render"],
      exclude: ["README.md"],
      swiftSettings: settings),
    .target(
      name: "Encode",
      dependencies: [
        "Frames", "FFmpegHandles", "CFFmpeg", "CLCMS", "CPosix", "CV4L2", "Settings",
        "V4L2Handles",
      ], exclude: ["README.md"],
      swiftSettings: settings),

    // Opens SDL's windows, and keeps Xlib from ending the program.
    .target(
      name: "DisplayLoss",
      linkerSettings: [.linkedLibrary("SDL2")]),
    // An output that people look at.
    .target(
      name: "Window",
      dependencies: [
        "CSDL", "DiskCache", "DisplayLoss", "Encode", "Frames", "GPU", "ShaderCompiler",
      ],
      exclude: ["README.md"],
      swiftSettings: settings),
    // The same in a terminal.
    .target(
      name: "Terminal",
      dependencies: ["CChafa", "CFFmpeg", "CPosix", "Encode", "FFmpegHandles", "Frames", "Window"],
      exclude: ["README.md"],
      swiftSettings: settings),

    // The five stages, wired; then words typed -> a recording -> exit code.
    .target(
      name: "Recorder",
      dependencies: [
        "Frames", "FFmpegHandles", "Capture", "DiskCache", "GPU", "ShaderEffects",
        "ShaderCompiler", "Settings", "Render", "Encode",
      ], exclude: ["README.md"],
      swiftSettings: settings),
    // Many recordings into one folder, with a journal.
    .target(
      name: "Batch",
      dependencies: [
        "CPosix", "Frames", "Capture", "DiskCache", "Settings", "ShaderEffects", "Encode",
        "Recorder",
      ], exclude: ["README.md"],
      swiftSettings: settings),
    // Sources in a window, with sound.
    .target(
      name: "Player",
      dependencies: [
        "Capture", "CSDL", "Encode", "FFmpegHandles", "Frames", "Recorder", "Settings",
        "Window",
      ], exclude: ["README.md"],
      swiftSettings: settings),
    commandLine,

    // Running the real binary, for every suite that does.
    .target(
      name: "TestSupport", dependencies: ["CPosix", "Frames"], path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(
      name: "TestDevice",
      dependencies: ["DiskCache", "Frames", "GPU", "ShaderCompiler", "TestSupport"],
      path: "Tests/TestDevice", swiftSettings: settings),
    .target(name: "AllocationTrace", path: "Tests/AllocationTrace"),
    .target(name: "ThreadLimit", path: "Tests/ThreadLimit"),
    .target(name: "DisplayCut", path: "Tests/DisplayCut"),
    .target(name: "OldFFmpeg", path: "Tests/OldFFmpeg"),
    .testTarget(
      name: "DiskCacheTests",
      dependencies: ["DiskCache", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FramesTests",
      dependencies: ["CPosix", "Frames", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CaptureTests",
      dependencies: [
        "Capture", "Frames", "FFmpegHandles", "CFFmpeg", "CPosix", "TestSupport", "V4L2Handles",
        "ALSAHandles", "CV4L2", "XCBHandles",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GPUTests",
      dependencies: [
        "GPU", "Frames", "DiskCache", "ShaderCompiler", "ShaderEffects", "Render", "CVulkan",
        "TestDevice", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ShaderCompilerTests",
      dependencies: ["ShaderCompiler", "DiskCache", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ShaderEffectsTests",
      dependencies: ["ShaderEffects", "ShaderCompiler", "GPU", "Frames", "DiskCache"],
      swiftSettings: settings),
    .testTarget(
      name: "EffectGoldenTests",
      dependencies: [
        "GPU", "ShaderEffects", "ShaderCompiler", "Frames", "Render", "EffectLab", "TestDevice",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "GoldenImageTests",
      dependencies: [
        "EffectLab", "Frames", "GPU", "Recorder", "Render", "ShaderCompiler", "ShaderEffects",
        "TestDevice", "TestSupport", "kfrec",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "EncodeTests",
      dependencies: ["Encode", "Frames", "FFmpegHandles", "CFFmpeg", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "Recorder", "Capture", "Encode", "FFmpegHandles", "Frames", "Render", "ShaderEffects",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ControlTests",
      dependencies: [
        "ALSAHandles", "CALSA", "Control", "Frames", "ShaderCompiler", "ShaderEffects",
        "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "WebTests",
      dependencies: ["kfrec", "Encode", "Frames", "ShaderEffects", "TestSupport", "Web"],
      swiftSettings: settings),
    .testTarget(
      name: "BatchTests",
      dependencies: ["Batch", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RecordingTests",
      dependencies: ["kfrec", "Frames", "Capture", "Recorder", "ShaderCompiler", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "PlayerTests",
      dependencies: ["Encode", "Frames", "Player"],
      swiftSettings: settings),
    .testTarget(
      name: "WindowTests",
      dependencies: ["kfrec", "CSDL", "Encode", "Frames", "TestSupport", "Window"],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalTests",
      dependencies: ["kfrec", "CPosix", "Encode", "Frames", "Terminal", "TestSupport", "Window"],
      swiftSettings: settings),
    // Only where KFREC_CAMERA_TESTS is 1.
    .testTarget(
      name: "CameraTests",
      dependencies: ["kfrec", "Frames", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SteadyStateTests",
      dependencies: ["TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "kfrec", "Capture", "Control", "Encode", "Frames", "GPU", "Recorder", "Render", "Settings",
        "ShaderEffects", "TestSupport",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

if isFuzzed {
  package.products = [.executable(name: "fuzz", targets: ["fuzz"])]
  package.targets.removeAll { $0.isTest }
  package.targets += [
    .target(name: "FuzzEngine", path: "Tests/Fuzz/Engine"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "ALSAHandles", "Batch", "Capture", "Control", "Encode", "Frames", "FuzzEngine",
        "ShaderCompiler", "ShaderEffects", "Terminal", "Web", "kfrec",
      ], path: "Tests/Fuzz/Targets", swiftSettings: settings),
  ]
}
