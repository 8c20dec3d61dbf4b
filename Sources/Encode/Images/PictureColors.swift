import CLCMS
import FFmpegHandles
import Frames

/// Colours that are not sRGB, for a picture file: viewers assume sRGB if the file says nothing.
struct PictureColors {
  /// "Display P3".
  let name: String
  let profile: [UInt8]

  /// Nil for sRGB, and for the primaries of standard television (H.273's 5 to 7), which are near those of sRGB and mostly
  /// assumed from the size of a picture.
  ///
  /// Gray has no primaries, and the profile of its curve has none either (ICC.1, 8.4.3).
  init?(_ format: FrameFormat) {
    let (color, isGray) = (format.color, format.pixelFormat.layout.model == .gray)
    let transfer = color.screenTransfer
    let exponents: [UInt8: Double] = [4: 2.2, 5: 2.8, 8: 1, 17: 2.6]
    let isUsual = isGray || color.hasUsualPrimaries
    // No curve here is that of PQ, HLG or a logarithm.
    guard ![9, 10, 16, 18].contains(transfer), !isUsual || exponents[transfer] != nil,
      let places = ColorDescription.chromaticities(
        ofPrimaries: color.primaries == 2 ? 1 : color.primaries),
      let curve = exponents[transfer].flatMap({ cmsBuildGamma(nil, $0) })
        ?? cmsBuildParametricToneCurve(
          nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    else { return nil }
    defer { cmsFreeToneCurve(curve) }
    let points = (0..<4).map { cmsCIExyY(x: places[2 * $0], y: places[2 * $0 + 1], Y: 1) }
    var white = points[0]
    var primaries = cmsCIExyYTRIPLE(Red: points[1], Green: points[2], Blue: points[3])
    var curves: [OpaquePointer?] = [curve, curve, curve]
    guard
      let made = isGray
        ? cmsCreateGrayProfile(&white, curve) : cmsCreateRGBProfile(&white, &primaries, &curves)
    else { return nil }
    defer { cmsCloseProfile(made) }
    let names: [UInt8: String] = [
      1: "BT.709", 2: "BT.709", 9: "BT.2020", 10: "XYZ", 11: "DCI-P3",
      12: [6, 13].contains(transfer) ? "Display P3" : "P3",
    ]
    let gamut =
      isGray ? "gray" : names[color.primaries] ?? "primaries \(color.primaries) of H.273"
    name = exponents[transfer].map { "\(gamut) with a gamma of \($0)" } ?? gamut
    if let text = cmsMLUalloc(nil, 1) {
      cmsMLUsetASCII(text, "en", "US", name)
      cmsWriteTag(made, cmsSigProfileDescriptionTag, UnsafeRawPointer(text))
      cmsMLUfree(text)
    }
    var size: cmsUInt32Number = 0
    guard cmsSaveProfileToMem(made, nil, &size) != 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    guard cmsSaveProfileToMem(made, &bytes, &size) != 0 else { return nil }
    // lcms writes when it made the profile (ICC.1, 7.2.8); the same picture has the same bytes.
    bytes.replaceSubrange(24..<36, with: [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
    profile = bytes
  }

  /// The notice for an output that has the profile.
  func notice(_ output: String) -> Notice {
    Notice(.outputColors, output, "\(output) has colours of \(name), as its ICC profile says")
  }

  /// The notice for an output that cannot store a profile.
  func loss(_ output: String) -> Notice {
    Notice(
      .outputLeftOut, output,
      "\(output) cannot say that its colours are those of \(name), and viewers show them paler; a .png, .apng or .webp says it"
    )
  }
}
