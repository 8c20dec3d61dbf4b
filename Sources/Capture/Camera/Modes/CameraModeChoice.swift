import Frames
import V4L2Handles

/// A format, size and frame rate of a camera.
struct CameraMode: Hashable, Sendable {
  var code: FourCC
  var width: Int
  var height: Int
  /// Frames per second; nil if the camera does not say.
  var frameRate: Rational?
}

/// Chooses a camera's mode: a pure function of the camera's offers and the request.
struct CameraModeChoice {
  /// The offered formats with their sizes.
  let offers: [CameraOffer]

  /// The best size in pixels and the best frame rate if nothing is requested; larger values are not better.
  private static let size = (width: 1280, height: 720)
  private static let rate = Rational(30)
  /// Tolerance for cameras that report 30 frames per second as 30.00003.
  private static let rateSlack = Rational(61, 60)
  /// From this frame rate on motion looks smooth, so more pixels are more important.
  private static let fluentRate = Rational(23)

  /// Returns the best mode for a request, of all readable formats or of `codes`; nil if no such format has a known size.
  ///
  /// A requested size or frame rate comes first, the size before the rate. Otherwise colours come
  /// before gray, a smooth frame rate before pixels, and pixels up to 1280x720 before the remaining
  /// rate. Between equals the format that needs the least work is chosen.
  func mode(
    for request: CameraRequest, among codes: [FourCC]?,
    rates: (FourCC, Int, Int) -> CameraRates
  ) -> CameraMode? {
    var best: (mode: CameraMode, cost: [Double])?
    for offer in offers where codes?.contains(offer.code) ?? offer.isReadable {
      for sizes in offer.sizes {
        let size = sizes.nearest(to: request.size ?? CameraModeChoice.size)
        let rates = sizes.isOne ? sizes.rates : rates(offer.code, size.width, size.height)
        let mode = CameraMode(
          code: offer.code, width: size.width, height: size.height,
          frameRate: request.frameRate.map { rates.nearest(to: $0) }
            ?? rates.best(upTo: CameraModeChoice.rate * CameraModeChoice.rateSlack))
        let cost = cost(of: mode, for: request)
        if best.map({ cost.lexicographicallyPrecedes($0.cost) }) ?? true { best = (mode, cost) }
      }
    }
    return best?.mode
  }

  /// Returns the cost of a mode; smaller is better, and the first different number decides.
  private func cost(of mode: CameraMode, for request: CameraRequest) -> [Double] {
    let rank = Double(CameraFormat.rank(of: mode.code))
    let gray = CameraFormat.of(mode.code)?.isColor == false ? 1.0 : 0
    let area = Double(mode.width * mode.height)
    let wanted = request.frameRate ?? CameraModeChoice.rate
    let offRate = mode.frameRate.map { CameraRates.distance($0, wanted) } ?? 0
    // Up to the best size more pixels are better, above it fewer.
    let best = CameraModeChoice.size
    let isAbove = mode.width > best.width || mode.height > best.height
    let offSize = isAbove ? 1e9 + area : -area
    if let size = request.size {
      let off = Double(abs(mode.width - size.width) + abs(mode.height - size.height))
      return [off, gray, nearly(offRate), rank]
    }
    if request.frameRate != nil { return [gray, nearly(offRate), offSize, rank] }
    let isFluent = mode.frameRate.map { $0 >= CameraModeChoice.fluentRate } ?? true
    return [gray, isFluent ? 0 : 1, offSize, nearly(offRate), rank]
  }

  /// Rounds a distance, so that 30 and 30000/1001 frames per second are equally good.
  private func nearly(_ distance: Double) -> Double { (distance * 50).rounded(.down) }
}
