import CV4L2
import Frames
import V4L2Handles

/// Opens a camera in the mode that suits a request best, and reports what the camera grants.
struct CameraOpening {
  let path: String
  let request: CameraRequest

  /// The camera's name in messages.
  private(set) var name: String
  private(set) var notices: [Notice] = []

  init(path: String, request: CameraRequest) {
    self.path = path
    self.request = request
    name = path
  }

  /// Opens the camera and starts it.
  mutating func open() throws(CaptureError) -> CameraStream {
    do throws(V4L2Error) {
      let device = try VideoDevice(path: path)
      return try start(device)
    } catch {
      if let refusal { throw refusal }
      throw CaptureError(error, path: path, name: name)
    }
  }

  /// Why the camera is not opened, if no driver call failed.
  private var refusal: CaptureError?

  private mutating func refuse(_ sentence: String, isUsageError: Bool = false) -> V4L2Error {
    refusal = CaptureError(sentence, isUsageError: isUsageError)
    return V4L2Error(call: "", code: 0)
  }

  private mutating func start(_ device: consuming VideoDevice) throws(V4L2Error) -> CameraStream {
    if !device.card.isEmpty { name = "\(path) (\(device.card))" }
    guard device.isCamera else {
      throw refuse("\(name) is not a camera: it captures no video; kfrec devices lists the cameras")
    }
    let signal = try device.followSignal()
    let mode = try chooseMode(of: device, signal: signal)
    let setting = try device.set(mode)
    try judge(setting, asked: mode)
    for control in request.controls {
      do throws(CaptureError) {
        try device.set(control: control.name, to: control.value, name: name)
      } catch {
        refusal = error
        throw V4L2Error(call: "", code: 0)
      }
    }
    return try CameraStream(device, setting: setting)
  }

  private mutating func chooseMode(
    of device: borrowing VideoDevice, signal: (width: Int, height: Int)?
  ) throws(V4L2Error) -> CameraMode {
    let named = request.format.map(CameraFormat.codes(named:))
    let offers = device.offers { named?.contains($0) ?? (CameraFormat.of($0) != nil) }
    let list = offers.map { $0.code.description }.joined(separator: ", ")
    var codes: [FourCC]?
    if let format = request.format, let named {
      let offered = offers.map(\.code).filter(named.contains)
      guard !offered.isEmpty else {
        let isOffered = offers.contains { $0.code.description.uppercased() == format.uppercased() }
        throw refuse(
          isOffered
            ? "\(name) has the format \(format), but kfrec does not read it; the camera has \(list)"
            : "\(name) has no format \(format); it has \(list)", isUsageError: true)
      }
      codes = offered
    }
    guard let best = codes?.first ?? readable(offers) else {
      throw refuse("\(name) gives only formats that kfrec does not read: \(list)")
    }
    // A grabber that scales would distort an image of another size.
    var request = request
    request.size = request.size ?? signal
    let choice = CameraModeChoice(offers: offers)
    let chosen = choice.mode(for: request, among: codes) {
      device.rates(of: $0, width: $1, height: $2)
    }
    if let chosen { return chosen }
    // The camera does not list its sizes: it has its current one.
    let current = try device.setting().mode
    return CameraMode(
      code: best, width: request.size?.width ?? current.width,
      height: request.size?.height ?? current.height, frameRate: request.frameRate)
  }

  private func readable(_ offers: [CameraOffer]) -> FourCC? {
    offers.filter(\.isReadable)
      .min { CameraFormat.rank(of: $0.code) < CameraFormat.rank(of: $1.code) }?.code
  }

  /// Compares the granted setting with the request.
  private mutating func judge(
    _ setting: CameraSetting, asked mode: CameraMode
  ) throws(V4L2Error) {
    let got = setting.mode
    guard CameraFormat.of(got.code) != nil else {
      throw refuse(
        "\(name) gives \(got.code) though \(mode.code) was chosen, and kfrec does not read "
          + "\(got.code)")
    }
    if let field = CameraField.interlacing(setting.field) {
      throw refuse(
        """
        \(name) gives interlaced frames (\(field)), which kfrec does not record; choose a progressive \
        input or mode of the camera
        """)
    }
    var asked: [String] = []
    if let format = request.format { asked.append(format) }
    if let size = request.size { asked.append("\(size.width)x\(size.height)") }
    if let rate = request.frameRate { asked.append("\(CameraText.rate(rate)) frames per second") }
    note(
      .cameraMode,
      "\(name): asked for \(asked.isEmpty ? "the best mode" : asked.joined(separator: ", ")), got "
        + CameraText.mode(got))
    if let size = request.size, size != (got.width, got.height) {
      note(
        .cameraModeRefused,
        "\(name) does not accept \(size.width)x\(size.height): it gives \(got.width)x\(got.height)")
    }
    if let rate = request.frameRate {
      if let granted = got.frameRate {
        if CameraRates.distance(granted, rate) > 0.001 {
          note(
            .cameraModeRefused,
            "\(name) does not accept \(CameraText.rate(rate)) frames per second: it gives "
              + CameraText.rate(granted))
        }
      } else {
        note(
          .cameraModeRefused,
          "\(name) does not report its frame rate; the recording keeps the frames' timestamps")
      }
    }
    if got.code != mode.code {
      note(.cameraModeRefused, "\(name) gives \(got.code) though \(mode.code) was chosen")
    }
  }

  private mutating func note(_ id: NoticeID, _ message: String) {
    notices.append(Notice(id, name, message))
  }
}
