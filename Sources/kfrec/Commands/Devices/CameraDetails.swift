import Capture
import Frames

/// What `kfrec devices` prints about a camera.
struct CameraDetails {
  let camera: CameraDescription
  /// Nil if they were not requested.
  var controls: [CameraControl]?

  /// For the list of all cameras: the name, and a line for each format that kfrec reads.
  var summary: String {
    var lines = [
      hang("Camera \(camera.path)", headline, column: 8)
    ]
    if let stablePath = camera.stablePath { lines.append(hang("", stablePath, column: 8)) }
    if let problem = camera.problem { lines.append(hang("", problem, column: 8)) }
    for offer in camera.offers where offer.isReadable {
      lines.append(hang("", "\(offer.code): \(sizes(of: offer))", column: 8))
    }
    let others = camera.offers.filter { !$0.isReadable }
    if !others.isEmpty {
      let list = others.map { "\($0.code)" }.joined(separator: ", ")
      lines.append(hang("", "not read by kfrec: \(list)", column: 8))
    }
    return lines.joined()
  }

  /// For one camera: the summary and the controls.
  var text: String {
    let rows = (controls ?? []).map { control in
      let value = control.value.map { ", now \($0)" } ?? ""
      let note = control.isReadOnly ? ", read only" : control.isInactive ? ", inactive" : ""
      return hang("", "\(control.name): \(control.range)\(value)\(note)", column: 8)
    }
    return summary + (rows.isEmpty ? "" : "Controls for --camera-control:\n" + rows.joined())
  }

  private var headline: String {
    [camera.name, camera.driver.map { "driver \($0)" }, camera.bus]
      .compactMap(\.self).joined(separator: ", ")
  }

  private func sizes(of offer: CameraOffer) -> String {
    guard !offer.sizes.isEmpty else { return "the size that it is set to" }
    return offer.sizes.map { sizes in
      let size =
        sizes.isOne
        ? "\(sizes.width.lowerBound)x\(sizes.height.lowerBound)"
        : "\(sizes.width.lowerBound)x\(sizes.height.lowerBound) to "
          + "\(sizes.width.upperBound)x\(sizes.height.upperBound)"
      let rates: String =
        switch sizes.rates {
        case .unknown: ""
        case .some(let rates): rates.max().map { " up to \(CameraText.rate($0)) fps" } ?? ""
        case .range(let range): " up to \(CameraText.rate(range.upperBound)) fps"
        }
      return size + rates
    }.joined(separator: ", ")
  }

  var object: JSONValue {
    var members: [(String, JSONValue)] = [
      ("kind", .string("camera")),
      ("path", .string(camera.path)),
      ("name", .string(camera.name)),
      ("stablePath", .optional(camera.stablePath, JSONValue.string)),
      ("driver", .optional(camera.driver, JSONValue.string)),
      ("bus", .optional(camera.bus, JSONValue.string)),
      ("color", .bool(camera.isColor)),
      ("suitable", .bool(camera.isReadable)),
      ("problem", .optional(camera.problem, JSONValue.string)),
      ("formats", .array(camera.offers.map(CameraDetails.object))),
    ]
    if let controls { members.append(("controls", .array(controls.map(CameraDetails.object)))) }
    return .object(members)
  }

  private static func object(_ offer: CameraOffer) -> JSONValue {
    .object([
      ("format", .string("\(offer.code)")),
      ("name", .string(offer.name)),
      ("suitable", .bool(offer.isReadable)),
      ("sizes", .array(offer.sizes.map(object))),
    ])
  }

  static func object(_ sizes: CameraSizes) -> JSONValue {
    let rates: [(String, JSONValue)] =
      switch sizes.rates {
      case .unknown: [("rates", .null)]
      case .some(let rates): members("rates", rates)
      case .range(let range): members("rateRange", [range.lowerBound, range.upperBound])
      }
    guard !sizes.isOne else {
      return .object(
        [("width", .int(sizes.width.lowerBound)), ("height", .int(sizes.height.lowerBound))] + rates
      )
    }
    return .object(
      [
        ("width", .array([.int(sizes.width.lowerBound), .int(sizes.width.upperBound)])),
        ("height", .array([.int(sizes.height.lowerBound), .int(sizes.height.upperBound)])),
        ("step", .array([.int(sizes.step.width), .int(sizes.step.height)])),
      ] + rates)
  }

  /// Rates as numbers, and also as exact fractions ("30000/1001").
  private static func members(_ name: String, _ rates: [Rational]) -> [(String, JSONValue)] {
    [
      (name, .array(rates.map { .number($0.doubleValue) })),
      (name + "Exact", .array(rates.map { .string("\($0)") })),
    ]
  }

  private static func object(_ control: CameraControl) -> JSONValue {
    let kind: String
    var choices: JSONValue = .null
    switch control.kind {
    case .number: kind = "number"
    case .flag: kind = "flag"
    case .button: kind = "button"
    case .other: kind = "other"
    case .menu(let items):
      kind = "menu"
      choices = .object(
        items.sorted { $0.key < $1.key }.map { ("\($0.key)", .string($0.value)) })
    }
    return .object([
      ("name", .string(control.name)),
      ("kind", .string(kind)),
      ("minimum", .int(Int64(control.minimum))),
      ("maximum", .int(Int64(control.maximum))),
      ("step", .int(Int64(control.step))),
      ("default", .int(Int64(control.usual))),
      ("value", .optional(control.value) { .int(Int64($0)) }),
      ("choices", choices),
      ("readOnly", .bool(control.isReadOnly)),
      ("inactive", .bool(control.isInactive)),
    ])
  }
}
