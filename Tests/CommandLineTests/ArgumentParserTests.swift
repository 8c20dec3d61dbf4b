import Control
import Frames
import ShaderEffects
import Testing

@testable import kfrec
import Settings
import Recorder
import Encode

@Suite struct WordParserTests {
  @Test(
    "an option's value may be the next word, or follow an equals sign or the letter directly",
    arguments: [
      ["--output", "a.mov"], ["--output=a.mov"], ["-o", "a.mov"], ["-oa.mov"], ["-o=a.mov"],
    ])
  func spellings(_ typed: [String]) throws {
    #expect(try ArgumentParser.parse(typed).outputs == ["a.mov"])
  }

  @Test("a value keeps its own equals signs and may be a single dash")
  func valueText() throws {
    #expect(try ArgumentParser.parse(["--output=a=b.mov"]).outputs == ["a=b.mov"])
    #expect(try ArgumentParser.parse(["-i", "-", "-o-"]).inputs.map(\.name) == ["-"])
    #expect(try ArgumentParser.parse(["-i", "-1.mov"]).inputs.map(\.name) == ["-1.mov"])
  }

  @Test("switches may share a dash with each other and with a last option that takes a value")
  func clusters() throws {
    let words = try ArgumentParser.parse(["-yhoout.mov"])
    #expect(words.overwrite == .replace)
    #expect(words.help == .short)
    #expect(words.outputs == ["out.mov"])
  }

  @Test("of several values the last is used, and repeated inputs and effects are all kept in order")
  func repeats() throws {
    let words = try ArgumentParser.parse([
      "--crf", "10", "--crf", "20", "-e", "a", "-e", "b", "-i", "x", "-i", "y",
    ])
    #expect(words.encoding.crf == 20)
    #expect(words.effects.map(\.name) == ["a", "b"])
    #expect(words.inputs.map(\.name) == ["x", "y"])
  }

  @Test("-h asks for the short help and --help for the long one")
  func helpLengths() throws {
    #expect(try ArgumentParser.parse(["-h"]).help == .short)
    #expect(try ArgumentParser.parse(["--help"]).help == .long)
    #expect(try ArgumentParser.parse(["effects", "--help"]).command == .effects)
  }

  @Test("a command is only the first word, and takes as many operands as it has")
  func commands() throws {
    let words = try ArgumentParser.parse(["effects", "--json", "separateRGB"])
    #expect(words.command == .effects)
    #expect(words.json)
    #expect(words.operands == ["separateRGB"])
    #expect(try ArgumentParser.parse(["effects", "--", "--odd"]).operands == ["--odd"])
  }

  @Test(
    "wrong words are refused in one sentence that names the word and the remedy",
    arguments: [
      (["--ouput", "x"], "--ouput is not an option; did you mean --output?"),
      (["--pixelformat=auto"], "--pixelformat is not an option; did you mean --pixel-format?"),
      (["--Frames", "3"], "--Frames is not an option; did you mean --frames?"),
      (["--zzzzzz"], "--zzzzzz is not an option; see kfrec --help"),
      (["-Z"], "-Z is not an option; see kfrec --help"),
      (["-input", "x"], "-input is not an option; did you mean --input?"),
      (["effcts"], "\"effcts\" is not a command; did you mean kfrec effects?"),
      (["-y", "effects"], "the command effects must be the first word"),
      (["x.mp4"], "unexpected argument \"x.mp4\"; name an input with -i and an output with -o"),
      (
        ["--midi", "nano"],
        "unexpected argument \"nano\"; name an input with -i and an output with -o; write "
          + "--midi=nano if it is the value of --midi"
      ),
      (
        ["preview", "--preview", "sixel"],
        "\"sixel\" is one word too many; see kfrec preview --help; write --preview=sixel if it is "
          + "the value of --preview"
      ),
      (
        ["preview", "--midi=any", "x"], "\"x\" is one word too many; see kfrec preview --help"
      ),
      (
        ["preview", "--midi", "-e", "a", "x"],
        "\"x\" is one word too many; see kfrec preview --help"
      ),
      (["-o"], "-o is the last word and lacks its OUTPUT"),
      (["--no-audio=1"], "--no-audio takes no value, so leave out \"=1\""),
      (
        ["preview", "--json"],
        "--json belongs to kfrec, kfrec batch, kfrec effects, kfrec devices, kfrec check or kfrec golden, not to kfrec preview"
      ),
      (["devices", "--crf", "3"], "--crf belongs to kfrec or kfrec batch, not to kfrec devices"),
      (["effects", "a", "b"], "\"b\" is one word too many; see kfrec effects --help"),
      (["--crf", "abc"], "--crf takes a number from 0 to 63, not \"abc\""),
      (["--frames", "0"], "--frames takes a whole number of 1 or more, not \"0\""),
      (["--scale", "fat"], "--scale takes stretch, fit or fill, not \"fat\""),
      (["-o", ""], "--output takes an output's name, not \"\""),
      (
        ["-i", "-o", "x"],
        "-i lacks its SOURCE: what follows is the option -o (write -i=-o if -o is the "
          + "value)"
      ),
    ])
  func sentences(_ typed: [String], _ sentence: String) {
    let error = #expect(throws: CommandLineError.self) { try ArgumentParser.parse(typed) }
    #expect(error?.description == sentence)
    #expect(error?.isUsageError == true)
  }

  @Test("a value that may be left out may be left out for each command")
  func alone() throws {
    for command in [[], ["preview"], ["play"]] {
      let words = try ArgumentParser.parse(command + ["--midi", "--midi-map", "f"])
      #expect(words.control.midi == "any" && words.control.midiMap == "f")
    }
  }

  @Test("every option of the table is read by its long and its short name")
  func table() throws {
    let samples: [String: String] = [
      "TIME": "1.5", "TIME,...": "1,0.5", "N": "3", "RATE": "25", "WxH": "64x48", "SOURCE": "a",
      "OUTPUT": "b", "A-B": "3-5", "CHUNKS": "auto",
      "EFFECT": "c", "DIR": "d", "GPU": "0", "NAME": "n",
      "FORMAT": "yuyv", "NAME=VALUE": "gain=1", "FILE": "f", "SIZE": "64M", "OPTIONS": "-p gpu",
      "WHEN": "06:30", "WHERE": "-", "MS": "200", "X": "1.5", "PERCENT": "50",
      "LIMIT": "10m", "X,Y,W,H": "1,2,3,4", "W:H": "16:9", "COLOR": "white", "VOLUME": "50%",
      "LUFS": "-16",
      "BITRATE": "192k",
      "MICROPHONE": "default", "DEVICE": "any", "ADDRESS": "0.0.0.0", "TOKEN": "0123-abc",
      "PROGRAM": "2", "TEXT": "t",
    ]
    for option in optionTable {
      let name = option.long
      var value = option.valueName.flatMap { option.choices.first ?? samples[$0] }
      if name == "bitrate" { value = "8M" }
      #expect(option.valueName == nil || value != nil, "\(name) has no sample value")
      let command = option.commands[0] == .record ? [] : [option.commands[0].rawValue]
      let tail = option.valueIfAlone == nil ? value.map { [$0] } ?? [] : []
      #expect(throws: Never.self) { try ArgumentParser.parse(command + ["--" + name] + tail) }
      let attached = value.map { "=" + $0 } ?? ""
      #expect(throws: Never.self) { try ArgumentParser.parse(command + ["--" + name + attached]) }
      if let short = option.short {
        #expect(throws: Never.self) { try ArgumentParser.parse(command + ["-\(short)"] + tail) }
      }
    }
  }

  @Test("no two options of a command share a name, and every choice of an option is accepted")
  func tableIsConsistent() {
    for command in Command.allCases {
      let options = optionTable.filter { $0.commands.contains(command) }
      #expect(Set(options.map(\.long)).count == options.count)
      let shorts = options.compactMap(\.short)
      #expect(Set(shorts).count == shorts.count)
    }
    for option in optionTable {
      for choice in option.choices {
        var words = Options()
        #expect(throws: Never.self) { try option.apply(&words, choice) }
      }
    }
  }

  @Test("a similar name is suggested only when it is similar enough")
  func nearNames() {
    #expect(editDistance("fps", "fsp") == 1)
    #expect(editDistance("", "abc") == 3)
    #expect(editDistance("kitten", "sitting") == 3)
    #expect(nearestName(to: "efects", among: ["devices", "effects"]) == "effects")
    #expect(nearestName(to: "x", among: ["devices", "effects"]) == nil)
  }
}
