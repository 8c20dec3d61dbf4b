import Frames
package import Settings

extension PictureArrangement {
  /// How the picture is shown.
  package static let options: [OptionRow<PictureArrangement>] = [
    .value(
      "crop", taking: .area, into: \.crop, in: .input, of: [.record, .batch, .preview, .play],
      traits: .recording, help: "Use this part of the picture alone",
      details: """
        The left and top edge, the width and the height, in pixels of the picture as the source shows it: \
        --crop 0,140,1920,800, or as X11 programs write it, 1920x800+0+140. Of a screen only this part is read. It comes before --rotate and --flip. With several inputs it \
        counts for each, as the three options after it do. --crop auto leaves out the black bars of a file: what is \
        black in frames from all over it, beside a straight edge of the picture. It says what it found, so that \
        you can give the numbers.
        """),
    .value(
      "rotate", taking: .oneOf("DEGREES", ["90": 1, "180": 2, "270": 3]), into: \.quarterTurns,
      in: .input, of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Turn the picture clockwise",
      details: "Besides the turn that the source itself asks for. Effects see the turned picture."),
    .value(
      "flip", taking: .oneOf("HOW", ["h": .horizontal, "v": .vertical]), into: \.flip, in: .input,
      of: [.record, .batch, .preview, .play], traits: .recording,
      help: "Mirror the picture: h swaps left and right, v top and bottom",
      details: "After --rotate."),
    .value(
      "aspect", taking: .shape, into: \.aspect, in: .input, of: [.record, .batch, .preview, .play],
      traits: .recording,
      help: "Show the picture in this shape",
      details:
        "For a source whose pixels have the wrong shape: 16:9, 4:3 or 2.39. The pixels stay as they are."
    ),
  ]
}

extension ValueGrammar where Value == PictureCrop {
  /// A part of a picture; `auto` leaves out black bars.
  fileprivate static let area = Self(
    name: "X,Y,W,H",
    expected:
      "the left and top edge, the width and the height in pixels, such as 0,140,1920,800, or auto"
  ) { word in
    if word == "auto" { return .withoutBars }
    var numbers = word.split(separator: ",", omittingEmptySubsequences: false)
      .map { wholeNumber(String($0)) }
    // As programs for X write it: 1920x800+0+140.
    let parts = word.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 3, let size = try ValueGrammar<ImageSize>.wholeSize.parse(parts[0]) {
      numbers = [wholeNumber(parts[1]), wholeNumber(parts[2]), size.width, size.height]
    }
    guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
      let height = numbers[3], [x, y].allSatisfy({ (0...ImageSize.limit).contains($0) }),
      [width, height].allSatisfy({ (1...ImageSize.limit).contains($0) })
    else { return nil }
    return .area(PixelArea(x: x, y: y, width: width, height: height))
  }
}

extension ValueGrammar where Value == Rational {
  /// The shape of a picture.
  fileprivate static let shape = Self(
    name: "W:H", expected: "a width and a height from 1 to 1000, such as 16:9, or 2.39"
  ) { word in
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let width = parts.first.flatMap(decimal),
      let height = parts.count == 2 ? decimal(parts[1]) : .one,
      [width, height].allSatisfy({ $0 >= .one && $0 <= Rational(1000) })
    else { return nil }
    return width / height
  }
}
