import CFFmpeg
import FFmpegHandles
import Frames
import Glibc

/// What a picture file says besides its pixels, and FFmpeg's decoders do not report.
struct PictureFacts {
  /// What the camera wrote.
  var photo = PhotoData()
  /// The meaning of the numbers, where the decoder finds no ICC profile.
  var profile: PictureProfile?
  /// How the picture is turned upright, if its file says it in another way than by EXIF.
  private(set) var orientation: Orientation?
  /// Whether a PNG's `cICP` says what the numbers mean, which has priority over everything else.
  private(set) var isStated = false
  /// Whether it is a JPEG that was cut off: libavcodec shows what is missing as grey, without an error.
  private(set) var isCut = false
  /// The tags of such a PNG of HDR.
  var primaries: UInt8?
  var transfer: UInt8?

  /// A file that says nothing.
  init() {}

  /// An AVIF or HEIF.
  init(_ items: PictureItems) {
    (photo, profile, orientation) = (items.photo, items.profile, items.orientation)
  }

  /// Reads a file whose bytes are one packet; empty for other codecs.
  init(_ packet: UnsafePointer<AVPacket>, codec: AVCodecID) {
    guard let data = packet.pointee.data, packet.pointee.size > 12 else { return }
    let bytes = UnsafeRawBufferPointer(start: data, count: Int(packet.pointee.size))
    switch codec {
    case AV_CODEC_ID_PNG, AV_CODEC_ID_APNG: readPNG(bytes)
    case AV_CODEC_ID_MJPEG: readJPEG(bytes)
    case AV_CODEC_ID_WEBP: readWebP(bytes)
    case AV_CODEC_ID_JPEG2000: readJP2(bytes)
    case AV_CODEC_ID_TIFF:
      // EXIF has the form of a TIFF.
      var tags = PhotoData()
      tags.exif = Array(bytes)
      orientation = tags.orientation.flatMap(Orientation.init(exif:))
    default: break
    }
  }

  /// The chunks before and after the pixels (PNG 3rd edition, 11.3.2 and 11.3.4).
  private mutating func readPNG(_ bytes: UnsafeRawBufferPointer) {
    var position = 8
    var (isSRGB, gamma): (Bool, Double?) = (false, nil)
    var chromaticities: [Double]?
    while position + 12 <= bytes.count {
      let size = Self.number(bytes, position, 4)
      guard position + 12 + size <= bytes.count else { break }
      let data = UnsafeRawBufferPointer(rebasing: bytes[(position + 8)..<(position + 8 + size)])
      switch String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self) {
      case "cICP" where size == 4: (primaries, transfer, isStated) = (data[0], data[1], true)
      case "sRGB": isSRGB = true
      case "gAMA" where size == 4: gamma = Double(Self.number(data, 0, 4)) / 100_000
      case "cHRM" where size == 32:
        chromaticities = (0..<8).map { Double(Self.number(data, 4 * $0, 4)) / 100_000 }
      case "eXIf": photo.exif = Array(data)
      case "iTXt":
        let key = "XML:com.adobe.xmp"
        // After the key are its end, no compression, and two empty texts.
        if data.starts(with: key.utf8), size > key.utf8.count + 5, data[key.utf8.count + 1] == 0 {
          photo.xmp = Array(data.dropFirst(key.utf8.count + 5))
        }
      default: break
      }
      position += 12 + size
    }
    if let primaries, let transfer {
      // HDR keeps its tags, and everything else is converted.
      guard transfer != 16, transfer != 18 else { return }
      profile = .curve(
        exponent: [4: 2.2, 5: 2.8, 8: 1][transfer],
        chromaticities: ColorDescription.chromaticities(ofPrimaries: primaries))
      (self.primaries, self.transfer) = (nil, nil)
      return
    }
    guard !isSRGB, let gamma, gamma > 0.01, gamma < 10 else { return }
    // 0.45455 stands for sRGB's curve (PNG 3rd edition, 11.3.2.2).
    let isUsual = abs(gamma - 0.45455) < 0.003
    let sRGB = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    let isNear = chromaticities.map { zip($0, sRGB).allSatisfy { abs($0 - $1) < 0.002 } } ?? true
    guard !isUsual || !isNear else { return }
    profile = .curve(
      exponent: isUsual ? nil : 1 / gamma, chromaticities: isNear ? nil : chromaticities)
  }

  /// The segments before the pixels (EXIF 2.32, 4.7; XMP part 3, 1.1.3).
  private mutating func readJPEG(_ bytes: UnsafeRawBufferPointer) {
    var position = 2
    // Resources may go on in another segment.
    var resources: [UInt8] = []
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      guard marker != 0xDA, marker != 0xFF else { break }
      let size = Self.number(bytes, position + 2, 2)
      guard size >= 2, position + 2 + size <= bytes.count else { break }
      let data = bytes[(position + 4)..<(position + 2 + size)]
      if marker == 0xE1 {
        if data.starts(with: PhotoData.exifMark) {
          photo.exif = Array(data.dropFirst(PhotoData.exifMark.count))
        } else if data.starts(with: PhotoData.xmpMark) {
          photo.xmp = Array(data.dropFirst(PhotoData.xmpMark.count))
        } else if data.starts(with: PhotoData.longXMPMark) {
          photo.longXMP.append(Array(data.dropFirst(PhotoData.longXMPMark.count)))
        }
      } else if marker == 0xED, data.starts(with: PhotoData.resourcesMark) {
        resources += data.dropFirst(PhotoData.resourcesMark.count)
      }
      position += 2 + size
    }
    photo.iptc = Self.iptc(among: resources)
    isCut = !Self.hasEnd(bytes, from: position)
  }

  /// Returns IPTC from the resources of Adobe's programs; the others show or describe the old pixels.
  private static func iptc(among resources: [UInt8]) -> [UInt8]? {
    var reader = ItemReader(resources[...])
    while reader.rest.starts(with: PhotoData.resourceMark) {
      reader.skip(PhotoData.resourceMark.count)
      let number = Array(reader.rest.prefix(2))
      reader.skip(2)
      // The name with its length, and the bytes, have an even size.
      let name = reader.number(1)
      reader.skip(name + (name + 1) % 2)
      let size = reader.number(4)
      guard size <= reader.rest.count else { return nil }
      if number == PhotoData.iptcNumber { return Array(reader.rest.prefix(size)) }
      reader.skip(size + size % 2)
    }
    return nil
  }

  /// Whether the end marker of a JPEG comes after a place between two markers (ITU-T T.81, B.1.1); cameras write more behind
  /// it, and a small picture with an end of its own before it.
  private static func hasEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    guard let base = bytes.baseAddress else { return false }
    var position = start
    while position + 1 < bytes.count,
      let found = memchr(base + position, 0xFF, bytes.count - position - 1)
    {
      position = base.distance(to: UnsafeRawPointer(found))
      switch bytes[position + 1] {
      case 0xD9: return true
      // It may come again before the number of a marker.
      case 0xFF: position += 1
      // A byte of the picture, or a marker alone.
      case 0x00...0xBF, 0xD0...0xD8: position += 2
      default:
        guard position + 4 <= bytes.count else { return false }
        let next = position + 2 + number(bytes, position + 2, 2)
        // A damaged byte of the picture may look like a marker.
        position = next < bytes.count ? next : position + 2
      }
    }
    return false
  }

  /// The chunks of the container (RFC 9649, 2.7).
  private mutating func readWebP(_ bytes: UnsafeRawBufferPointer) {
    var position = 12
    while position + 8 <= bytes.count {
      let size = (0..<4).reduce(0) { $0 | Int(bytes[position + 4 + $1]) << (8 * $1) }
      guard position + 8 + size <= bytes.count else { break }
      let data = bytes[(position + 8)..<(position + 8 + size)]
      switch String(decoding: bytes[position..<(position + 4)], as: UTF8.self) {
      case "EXIF":
        let isMarked = data.starts(with: PhotoData.exifMark)
        photo.exif = Array(isMarked ? data.dropFirst(PhotoData.exifMark.count) : data)
      case "XMP ": photo.xmp = Array(data)
      default: break
      }
      position += 8 + size + size % 2
    }
  }

  /// The head of a JP2 (ISO/IEC 15444-1, I.5.3.3), whose decoder tells no profile.
  private mutating func readJP2(_ bytes: UnsafeRawBufferPointer) {
    guard let head = ItemReader(Array(bytes)[...]).box("jp2h"),
      let color = ItemReader(head).box("colr")
    else { return }
    var reader = ItemReader(color)
    let method = reader.number(1)
    reader.skip(2)
    if [2, 3].contains(method) { profile = .icc(Array(reader.rest)) }
  }

  /// Reads a number with the highest byte first.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 << 8 | Int(bytes[at + $1]) }
  }
}
