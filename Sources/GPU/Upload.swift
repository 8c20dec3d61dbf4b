public import Frames

/// Stage two of the pipeline: copies a frame's planes to memory that kernels read through `reader`.
public final class Upload {
  /// The format of the accepted frames.
  public let format: FrameFormat
  /// How kernels read a frame's colours, upright.
  public let reader: PixelLoad

  private let layout: BufferLayout
  private let packing: WordPacking?
  private let slots: [Slot]
  private let device: Device
  /// Of each slot, the picture that is read where another device has it; nil if its planes are staged.
  private var imported: [ImportedPicture?]
  /// The words of the last frames; nil if each slot has its own.
  private let ring: WordRing?

  /// The objects of one frame in flight.
  private struct Slot {
    let staging: Buffer
    /// Images to which the staged planes are copied; empty if kernels read the staging memory itself.
    let planes: [Image]
  }

  /// Makes the memory for `slotCount` frames in flight.
  ///
  /// Kernels read the planes from `storage`. With `packsWords`, which needs `.buffers`, formats that
  /// allow it become one word per pixel; then `earlierFrames` frames before the newest one stay readable, if the
  /// device can read this many words. With `toneMaps` the colours of HDR frames become those of the standard dynamic range.
  public init(
    device: Device, format: FrameFormat, storage: TextureStorage, packsWords: Bool, slotCount: Int,
    earlierFrames: Int = 0, toneMaps: Bool
  ) throws {
    self.device = device
    imported = Array(repeating: nil, count: slotCount)
    let toneMap = toneMaps ? ToneMap(format.color) : nil
    self.format = format
    let layout = BufferLayout(
      pixelFormat: format.pixelFormat, width: format.width, height: format.height)
    self.layout = layout
    packing = packsWords ? WordPacking(format: format) : nil
    ring =
      packing == nil || earlierFrames == 0
      ? nil
      : try WordRing(
        device: device, format: format, earlierFrames: earlierFrames, slotCount: slotCount)
    if let ring {
      slots = []
      reader =
        WordReader(
          format: format, words: ring.words, fours: ring.fours, toneMap: toneMap, ring: ring.place
        ).reader
      return
    }
    let planes = format.pixelFormat.layout.planes
    let texels: [Image.Format] =
      packing != nil
      ? []
      : try planes.map { plane in
        guard !format.pixelFormat.layout.isBigEndian, let texels = Image.Format(plane) else {
          throw VulkanError("frames of \(format.pixelFormat.rawValue) cannot go to the GPU")
        }
        return texels
      }
    let byteCount = packing == nil ? layout.byteCount : WordPacking.byteCount(of: format)
    let slots = try (0..<slotCount).map { _ in
      Slot(
        staging: try Buffer(device: device, byteCount: byteCount, use: .upload),
        planes: storage == .buffers
          ? []
          : try zip(planes, texels).map { plane, texels in
            try Image(
              device: device, width: plane.width(format.width),
              height: plane.height(format.height), format: texels)
          })
    }
    self.slots = slots
    func staged(
      _ texel: Image.Format, offset: Int, byteCount: Int
    ) throws -> KernelResource.Bound {
      .slots(
        try slots.map { slot in
          .texels(
            try TexelView(
              device: device, buffer: slot.staging, offset: offset, byteCount: byteCount,
              format: texel))
        })
    }
    if packing != nil {
      reader = try WordReader(
        format: format, words: staged(.r32, offset: 0, byteCount: byteCount),
        fours: staged(.rgba32, offset: 0, byteCount: byteCount), toneMap: toneMap
      ).reader
      return
    }
    let bound: [KernelResource.Bound] = try planes.indices.map { index in
      let place = layout.planes[index]
      return storage == .buffers
        ? try staged(texels[index], offset: place.offset, byteCount: place.byteCount)
        : .slots(slots.map { .image($0.planes[index]) })
    }
    reader =
      PlaneReader(
        format: format, storage: storage, buffer: layout, planes: bound, toneMap: toneMap
      ).reader
  }

  /// Copies the frame to memory that the GPU reads, the only copy by the CPU; the planes may be released
  /// afterwards.
  ///
  /// A frame in another device's memory is not copied but opened, and stays there until the slot is filled again. If that fails, it
  /// and all later ones are copied.
  public func fill(slot: Int, from pixels: PixelBuffer) {
    imported[slot] = nil
    if let picture = pixels.shared, !pixels.isHere, !slots.isEmpty, !slots[slot].planes.isEmpty,
      device.sharing.reason == nil
    {
      do throws(VulkanError) {
        imported[slot] = try opened(picture)
        return
      } catch {
        device.sharing.stop(because: "\(error)")
      }
    }
    if let packing, let ring {
      packing.fill(ring.next(slot: slot), from: pixels)
      return
    }
    let target = slots[slot].staging.bytes
    if let packing {
      packing.fill(target, from: pixels)
      return
    }
    layout.fill(target, from: pixels, of: format)
  }

  private func opened(_ picture: SharedPicture) throws(VulkanError) -> ImportedPicture {
    if let reason = device.physical.sharing.refusal(of: picture, format) {
      throw VulkanError(reason)
    }
    guard picture.waitUntilFilled(limit: device.frameLimit) else {
      throw VulkanError("the decoder does not finish its picture")
    }
    return try ImportedPicture(device: device, picture: picture, format: format)
  }

  /// Records the commands that kernels need before they can read the filled planes.
  public func record(slot: Int, into commands: CommandBuffer) {
    guard ring == nil else { return }
    if let picture = imported[slot] {
      let planes = slots[slot].planes
      commands.beginCopies(to: planes)
      commands.copy(picture, to: planes)
      commands.endCopies(to: planes)
      return
    }
    let slot = slots[slot]
    guard !slot.planes.isEmpty else { return }
    commands.beginCopies(to: slot.planes)
    for (index, place) in layout.planes.enumerated() {
      let texel = format.pixelFormat.layout.planes[index].bytesPerTexel
      commands.copy(
        slot.staging, offset: place.offset, rowTexels: place.stride / texel,
        to: slot.planes[index])
    }
    commands.endCopies(to: slot.planes)
  }
}

extension FrameFormat {
  /// The format as kernels see it that read the frame through an `Upload`.
  public func loaded(toneMaps: Bool) -> FrameFormat {
    guard toneMaps, color.isHighDynamicRange else { return self }
    var format = self
    format.color = color.standardRange
    return format
  }
}
