import CFFmpeg

/// Owns an AVHashContext: one of libavutil's hash functions.
public struct HashHandle: ~Copyable {
  private let pointer: OpaquePointer
  /// The function's name in libavutil, such as "SHA256".
  public let name: String

  /// Opens a function of libavutil by its name.
  public init(_ name: String) throws(FFmpegError) {
    var made: OpaquePointer?
    try check(av_hash_alloc(&made, name), "av_hash_alloc", name)
    pointer = try check(made, "av_hash_alloc", name)
    self.name = name
  }

  deinit {
    var pointer: OpaquePointer? = pointer
    av_hash_freep(&pointer)
  }

  /// Begins a new hash.
  public mutating func begin() { av_hash_init(pointer) }

  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    av_hash_update(pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// Ends the hash and returns it in hexadecimal digits.
  public mutating func end() -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Int(AV_HASH_MAX_SIZE) + 1) { text in
      av_hash_final_hex(pointer, text.baseAddress, Int32(text.count))
      return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
