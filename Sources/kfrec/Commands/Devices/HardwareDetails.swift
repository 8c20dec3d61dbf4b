import Capture
import Encode
import FFmpegHandles
import Frames

/// The part of `kfrec devices` about hardware that encodes and decodes.
struct HardwareDetails {
  private let listings: [HardwareListing]

  /// Tries all of it, which takes a moment.
  init() { listings = listHardwareEncoders() + listHardwareDecoders() }

  /// Lists what works, a line each.
  ///
  /// - Parameter isVerbose: Whether what does not work is listed too, with the reason.
  /// - Returns: The lines; one that says so if nothing works.
  func text(isVerbose: Bool) -> String {
    let working = listings.filter { $0.refusal == nil }
    var text = working.map(describe).joined()
    if working.isEmpty {
      text += "No hardware encodes or decodes; the processor does."
      text += isVerbose ? "\n" : " --verbose says why.\n"
    }
    guard isVerbose else { return text }
    return text
      + listings.compactMap { listing in
        listing.refusal.map {
          hang("", "\(listing.name), \(listing.work.rawValue): \($0)", column: 10)
        }
      }.joined()
  }

  private func describe(_ listing: HardwareListing) -> String {
    hang(
      listing.work == .encoder ? "Encoder" : "Decoder",
      "\(listing.name)  \(listing.codec ?? "") by \(listing.family.title)", column: 10)
  }

  /// The same as JSON objects.
  ///
  /// - Parameter isVerbose: Whether what does not work has objects too.
  /// - Returns: An object each.
  func objects(isVerbose: Bool) -> [JSONValue] {
    listings.filter { isVerbose || $0.refusal == nil }.map { listing in
      .object([
        ("kind", .string(listing.work.rawValue)),
        ("name", .string(listing.name)),
        ("codec", .optional(listing.codec, JSONValue.string)),
        ("hardware", .string(listing.family.title)),
        ("works", .bool(listing.refusal == nil)),
        ("problem", .optional(listing.refusal, JSONValue.string)),
      ])
    }
  }
}
