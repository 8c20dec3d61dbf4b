import Glibc
import TestSupport
import Testing

@testable import kfrec

@Suite("The files of Vulkan drivers")
struct VulkanDriverFilesTests {
  @Test(
    "a driver that can be loaded is told apart from one that lacks a library, and from a broken file"
  )
  func problems() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("good", #"{"ICD": {"library_path": "libc.so.6", "api_version": "1.3.0"}}"#),
      ("lacking", #"{"ICD": {"library_path": "libGLX_missing.so.0", "api_version": "1.3.0"}}"#),
      ("beside", #"{"ICD": {"library_path": "./libother.so"}}"#),
      ("broken", "{"), ("empty", "{}"),
    ] {
      try folder.write(text.utf8, to: name + ".json")
    }
    try folder.write([], to: "README")
    #expect(mkfifo(folder.file("pipe.json"), 0o600) == 0)
    let text = VulkanDriverFiles(places: [folder.path, "/nonexistent"]).text
    #expect(
      text.hasPrefix("The Vulkan loader can load the drivers of \(folder.file("good.json")); "),
      "\(text)")
    for words in [
      "lacking.json names libGLX_missing.so.0, which cannot be loaded (libGLX_missing.so.0:",
      "beside.json names ./libother.so, which cannot be loaded (\(folder.path)/./libother.so:",
      "broken.json is no JSON", "empty.json names no library", "pipe.json cannot be read: ",
    ] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
    #expect(!text.contains("README"))
    let some = VulkanDriverFiles(
      places: [folder.path], selected: ["*GOOD*", "b*"], disabled: ["*broken*"]
    ).text
    #expect(some.contains("good.json") && some.contains("beside.json"), "\(some)")
    #expect(!some.contains("broken.json") && !some.contains("lacking.json"), "\(some)")
  }

  @Test("a file that is named and not there, and a place without any, are told")
  func missing() {
    let named = VulkanDriverFiles(places: ["/nonexistent/nvidia_icd.json"]).text
    #expect(
      named
        == "The Vulkan loader can load no driver; /nonexistent/nvidia_icd.json cannot be read: No such file or directory.",
      "\(named)")
    #expect(
      VulkanDriverFiles(places: ["/nonexistent"]).text
        == "The Vulkan loader finds no file of a driver in /nonexistent.")
  }

  @Test("kfrec devices says what the loader has")
  func listing() throws {
    let result = try KfrecProcess.run(
      ["devices"],
      environment: ["VK_DRIVER_FILES": "/nonexistent/a.json", "VK_LOADER_DRIVERS_SELECT": nil])
    let text = result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("The Vulkan loader can load no driver; /nonexistent/a.json"), "\(result)")
    // Names come from the environment and from files.
    let hostile = try KfrecProcess.run(
      ["devices"],
      environment: ["VK_DRIVER_FILES": "/x\u{1b}[31m.json", "VK_LOADER_DRIVERS_SELECT": nil])
    #expect(!hostile.text.contains("\u{1b}") && hostile.text.contains("[31m.json"), "\(hostile)")
    // A driver of which there is no GPU; the loader complains of it.
    let radeon = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json"
    guard fileExists(radeon), !fileExists("/dev/dri") else { return }
    let other = try KfrecProcess.run(
      ["devices"],
      environment: [
        "VK_DRIVER_FILES": radeon, "VK_LOADER_DRIVERS_SELECT": nil, "KFREC_VULKAN_VALIDATION": "0",
      ])
    #expect(other.exitCode == 0 && other.text.contains("No GPU: no Vulkan driver offers one"))
    #expect(other.text.contains("can load the drivers of"), "\(other)")
  }
}
