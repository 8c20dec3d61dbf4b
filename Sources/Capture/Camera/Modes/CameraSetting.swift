import CV4L2
import Frames
import V4L2Handles

/// A camera's setting: what the driver granted, which may differ from the request.
struct CameraSetting {
  /// The driver's unchanged answer, for libv4lconvert.
  let granted: v4l2_format
  let isMultiplanar: Bool
  let mode: CameraMode
  let colorFields: CameraColorFields
  /// Stride and total size of each plane in memory, in bytes.
  let planes: [(stride: Int, byteCount: Int)]
  /// The field order, as a value of `v4l2_field`.
  let field: UInt32

  init(granted: v4l2_format, isMultiplanar: Bool, frameRate: Rational?) {
    self.granted = granted
    self.isMultiplanar = isMultiplanar
    // Both structs begin with the size, the format and the field (videodev2.h).
    let picture = granted.fmt.pix
    mode = CameraMode(
      code: FourCC(rawValue: picture.pixelformat), width: Int(picture.width),
      height: Int(picture.height), frameRate: frameRate)
    field = picture.field
    if isMultiplanar {
      let picture = granted.fmt.pix_mp
      colorFields = CameraColorFields(
        colorspace: picture.colorspace, encoding: UInt32(picture.ycbcr_enc),
        quantization: UInt32(picture.quantization), transfer: UInt32(picture.xfer_func))
      planes = withUnsafeBytes(of: picture.plane_fmt) { bytes in
        bytes.bindMemory(to: v4l2_plane_pix_format.self).prefix(Int(picture.num_planes)).map {
          (Int($0.bytesperline), Int($0.sizeimage))
        }
      }
    } else {
      colorFields = CameraColorFields(
        colorspace: picture.colorspace, encoding: picture.ycbcr_enc,
        quantization: picture.quantization, transfer: picture.xfer_func)
      planes = [(Int(picture.bytesperline), Int(picture.sizeimage))]
    }
  }
}

extension VideoDevice {
  /// Returns the camera's current setting.
  func setting() throws(V4L2Error) -> CameraSetting {
    var format = v4l2_format()
    format.type = bufferType
    try check(kf_g_fmt(descriptor, &format), "VIDIOC_G_FMT")
    return CameraSetting(
      granted: format, isMultiplanar: isMultiplanar, frameRate: frameRate())
  }

  /// Sets the camera to the nearest mode that it supports; returns the granted setting.
  func set(_ mode: CameraMode) throws(V4L2Error) -> CameraSetting {
    var format = v4l2_format()
    format.type = bufferType
    // Of a device with several planes too: its struct begins in the same way.
    format.fmt.pix.width = UInt32(clamping: mode.width)
    format.fmt.pix.height = UInt32(clamping: mode.height)
    format.fmt.pix.pixelformat = mode.code.rawValue
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    try check(kf_s_fmt(descriptor, &format), "VIDIOC_S_FMT")
    if let rate = mode.frameRate { try set(frameRate: rate) }
    return CameraSetting(
      granted: format, isMultiplanar: isMultiplanar, frameRate: frameRate() ?? mode.frameRate)
  }

  /// Requests a frame rate; does nothing if the camera's rate cannot be set.
  private func set(frameRate rate: Rational) throws(V4L2Error) {
    var parameters = v4l2_streamparm()
    parameters.type = bufferType
    guard kf_g_parm(descriptor, &parameters) == 0,
      parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    else { return }
    parameters.parm.capture.timeperframe.numerator = UInt32(clamping: rate.denominator)
    parameters.parm.capture.timeperframe.denominator = UInt32(clamping: rate.numerator)
    try check(kf_s_parm(descriptor, &parameters), "VIDIOC_S_PARM")
  }

  /// Returns the current frame rate, if the camera says it.
  private func frameRate() -> Rational? {
    var parameters = v4l2_streamparm()
    parameters.type = bufferType
    guard kf_g_parm(descriptor, &parameters) == 0 else { return nil }
    return Rational(rateOf: parameters.parm.capture.timeperframe)
  }
}
