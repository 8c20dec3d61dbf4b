import Frames
import V4L2Handles

/// A format, size and rate of a camera.
struct CameraMode: Hashable, Sendable {
  var code: FourCC
  var width: Int
  var height: Int
  /// Nil where the camera does not tell.
  var frameRate: Rational?
}

/// Chooses a camera's mode: a pure function of what it offers and what is asked.
struct CameraModeChoice {
  /// The formats with their sizes.
  let offers: [CameraOffer]

  /// What is best where nothing is asked: no size above this, and no rate.
  private static let size = (width: 1280, height: 720)
  private static let rate = Rational(30)
  /// Cameras call 30 frames a second 30.00003, too.
  private static let rateSlack = Rational(61, 60)
  /// Motion looks fluent from here on, so that more pixels count for more.
  private static let fluentRate = Rational(23)

  /// The best mode for a request.
  ///
  /// A given size or rate comes first; the size before the rate. Else colours come before gray, a
  /// fluent rate before pixels, pixels up to 1280x720 before the rest of the rate; and between equals
  /// the format that needs the least work.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - codes: The formats to choose from; nil is all that can be read.
  ///   - rates: The rates in a format and a width and height of a range.
  /// - Returns: The mode; nil where the camera offers no such format in a known size.
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

  /// Smaller is better, the first difference decides.
  private func cost(of mode: CameraMode, for request: CameraRequest) -> [Double] {
    let rank = Double(CameraFormat.rank(of: mode.code))
    let gray = CameraFormat.of(mode.code)?.isColor == false ? 1.0 : 0
    let area = Double(mode.width * mode.height)
    let wanted = request.frameRate ?? CameraModeChoice.rate
    let offRate = mode.frameRate.map { CameraRates.distance($0, wanted) } ?? 0
    // Above the best size less is better, up to it more.
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

  /// 30 and 30000/1001 are as good as each other.
  private func nearly(_ distance: Double) -> Double { (distance * 50).rounded(.down) }
}
