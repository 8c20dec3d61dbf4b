import Frames
import TestSupport
import Testing

@testable import kfrec
import Settings

/// Tests with words that no user would type.
@Suite struct AbsurdWordTests {
  private static let odd = [
    "", " ", "-", "--", "=", ":", ",", "@", "/", "..", "-1", "00", "1e99", "nan", "-inf", "0x5",
    "3,5", "٣", "é",
    "1/0", "0/1", "-1/3", "1/", "/1", "2147483648", "-2147483649", "99999999999999999999", "1:99",
    "99:99:99", "::",
    "0x0", "-4x4", "999999x2", "4294967296x1", "64*48", "-1,0,2,2", "9,9,9", "%s%s%n", "a=b", "\n",
    "\u{1b}[2J",
    String(repeating: "9", count: 400),
    "separateRGB:amount=0@5..1@2", "separateRGB:amount=1@", "separateRGB:=", ":=,",
  ]

  @Test(
    "each option accepts an odd value, or refuses it in one sentence that names the option",
    arguments: odd)
  func values(_ value: String) throws {
    for option in optionTable where option.valueName != nil {
      let command = option.commands[0] == .record ? [] : [option.commands[0].rawValue]
      do {
        _ = try ArgumentParser.parse(command + ["--\(option.long)=\(value)"])
      } catch let error as any ExplainedError {
        #expect(error.isUsageError)
        // Errors in an effect's own syntax name the effect.
        let names = option.long == "effect" ? ["--effect", "effect '"] : ["--\(option.long)"]
        #expect(names.contains { error.description.contains($0) }, "\(error)")
        #expect(!error.description.hasSuffix("."), "\(error)")
        // The value itself may be a newline.
        #expect(value == "\n" || !error.description.contains("\n"), "\(error)")
      }
    }
  }

  @Test("an option for a number, a time, a size or a choice refuses every other word")
  func refused() {
    let texts = [
      "DIR", "FILE", "NAME", "SOURCE", "OUTPUT", "EFFECT", "GPU", "FORMAT", "MICROPHONE",
      "NAME=VALUE", "OPTIONS", "DEVICE", "TOKEN", "PROGRAM", "TEXT",
    ]
    let options = optionTable.filter { $0.valueName.map { !texts.contains($0) } == true }
    #expect(options.count > 20)
    for option in options {
      let command = option.commands[0] == .record ? [] : [option.commands[0].rawValue]
      for value in [
        "", " ", "nan", "-inf", "1e99", "٣", "0x5x5", "%s%s%n", "99999999999999999999x",
      ] {
        #expect(throws: CommandLineError.self, "--\(option.long)=\(value)") {
          try ArgumentParser.parse(command + ["--\(option.long)=\(value)"])
        }
      }
    }
  }

  @Test(
    "the program refuses a wrong word in one line with exit code 2, and makes no file",
    arguments: [
      (["--frames", "1e99"], "--frames"), (["--size", "4294967296x1"], "--size"),
      (["--crop", "-1,0,2,2"], "--crop"), (["--fps", "1/0"], "--fps"),
      (["--start", "1:99"], "--start"),
      (["--crf", "nan"], "--crf"), (["--scale", "\u{1b}[2J"], "\\x1b[2J"),
      (["-e", "separateRGB:amount=0@5..1@2"], "amount"), (["-e", "separateRGB:=1"], "separateRGB"),
      (["-e", String(repeating: "a", count: 3000)], "effect"), (["-o", "out.xyz"], "out.xyz"),
    ])
  func program(_ words: [String], _ name: String) throws {
    let folder = try TemporaryFolder()
    let result = try KfrecProcess.run(
      ["-i", "testsrc", "--frames", "1", "-o", "out.mov"] + words, in: folder)
    #expect(result.exitCode == 2, "\(result)")
    #expect(result.errors.hasPrefix("kfrec: ") && result.errors.contains(name), "\(result)")
    #expect(result.errors.filter { $0 == "\n" }.count == 1 && result.output.isEmpty, "\(result)")
    #expect(folder.names.isEmpty)
  }
}
