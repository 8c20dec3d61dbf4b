import CV4L2
import Frames
import V4L2Handles

extension VideoDevice {
  /// Length limit for lists, because a camera may list formats without end.
  private static let limit: UInt32 = 512

  /// Returns the offered formats in the driver's order, with the sizes of those for which they are wanted.
  ///
  /// Sizes take one request for each size and frame rate.
  func offers(withSizes isWanted: (FourCC) -> Bool = { _ in true }) -> [CameraOffer] {
    var offers: [CameraOffer] = []
    for index in 0..<VideoDevice.limit {
      var question = v4l2_fmtdesc()
      question.index = index
      question.type = bufferType
      guard kf_enum_fmt(descriptor, &question) == 0 else { break }
      let code = FourCC(rawValue: question.pixelformat)
      offers.append(
        CameraOffer(
          code: code, name: text(of: question.description),
          sizes: isWanted(code) ? sizes(of: code) : []))
    }
    return offers
  }

  private func sizes(of code: FourCC) -> [CameraSizes] {
    var sizes: [CameraSizes] = []
    for index in 0..<VideoDevice.limit {
      var question = v4l2_frmsizeenum()
      question.index = index
      question.pixel_format = code.rawValue
      guard kf_enum_framesizes(descriptor, &question) == 0 else { break }
      if question.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
        let (width, height) = (Int(question.discrete.width), Int(question.discrete.height))
        sizes.append(
          CameraSizes(
            width: width, height: height, rates: rates(of: code, width: width, height: height)))
      } else {
        let range = question.stepwise
        guard range.min_width <= range.max_width, range.min_height <= range.max_height else {
          break
        }
        sizes.append(
          CameraSizes(
            width: Int(range.min_width)...Int(range.max_width),
            height: Int(range.min_height)...Int(range.max_height),
            step: (Int(range.step_width), Int(range.step_height)),
            rates: rates(
              of: code, width: Int(range.max_width), height: Int(range.max_height))))
        break
      }
    }
    return sizes
  }

  /// Returns the frame rates for a format and size.
  func rates(of code: FourCC, width: Int, height: Int) -> CameraRates {
    var rates: [Rational] = []
    for index in 0..<VideoDevice.limit {
      var question = v4l2_frmivalenum()
      question.index = index
      question.pixel_format = code.rawValue
      question.width = UInt32(width)
      question.height = UInt32(height)
      guard kf_enum_frameintervals(descriptor, &question) == 0 else { break }
      if question.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
        if let rate = Rational(rateOf: question.discrete) { rates.append(rate) }
      } else {
        guard let lowest = Rational(rateOf: question.stepwise.max),
          let highest = Rational(rateOf: question.stepwise.min), lowest <= highest
        else { break }
        return .range(lowest...highest)
      }
    }
    return rates.isEmpty ? .unknown : .some(rates)
  }
}

extension Rational {
  /// Makes a frame rate from an interval in seconds; nil if the driver leaves it undefined.
  init?(rateOf interval: v4l2_fract) {
    guard interval.numerator > 0, interval.denominator > 0 else { return nil }
    self.init(Int64(interval.denominator), Int64(interval.numerator))
  }
}
