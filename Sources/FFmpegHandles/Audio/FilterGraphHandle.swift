public import CFFmpeg

/// Owns a graph of libavfilter's filters.
///
/// Used by one thread at a time.
public struct FilterGraphHandle: ~Copyable {
  public let pointer: UnsafeMutablePointer<AVFilterGraph>

  /// Makes an empty graph, whose filters run on the caller's thread.
  public init() throws(FFmpegError) {
    pointer = try check(avfilter_graph_alloc(), "avfilter_graph_alloc", "a filter graph")
    pointer.pointee.nb_threads = 1
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFilterGraph>? = pointer
    avfilter_graph_free(&pointer)
  }

  /// Adds a filter, which the graph owns; its options are written as `a=1:b=2`.
  public func add(
    _ filter: String, _ options: String = ""
  ) throws(FFmpegError) -> UnsafeMutablePointer<AVFilterContext> {
    var made: UnsafeMutablePointer<AVFilterContext>?
    guard let found = avfilter_get_by_name(filter) else {
      throw FFmpegError(
        call: "avfilter_get_by_name", subject: filter, code: kf_averror_filter_not_found())
    }
    try check(
      avfilter_graph_create_filter(&made, found, nil, options, nil, pointer),
      "avfilter_graph_create_filter", filter)
    return try check(made, "avfilter_graph_create_filter", filter)
  }

  /// Leads the result of a filter into an input of another.
  public func link(
    _ filter: UnsafeMutablePointer<AVFilterContext>,
    to next: UnsafeMutablePointer<AVFilterContext>, input: UInt32 = 0
  ) throws(FFmpegError) {
    try check(avfilter_link(filter, 0, next, input), "avfilter_link", "a filter graph")
  }

  /// Connects two filters through those of a description, such as "volume=0.5,alimiter", and makes the graph ready.
  public func connect(
    _ source: UnsafeMutablePointer<AVFilterContext>, through description: String,
    to sink: UnsafeMutablePointer<AVFilterContext>
  ) throws(FFmpegError) {
    // The names are those of the description's ends: its input is the source's output.
    var outputs = avfilter_inout_alloc()
    var inputs = avfilter_inout_alloc()
    defer {
      avfilter_inout_free(&outputs)
      avfilter_inout_free(&inputs)
    }
    outputs?.pointee.name = av_strdup("in")
    outputs?.pointee.filter_ctx = source
    inputs?.pointee.name = av_strdup("out")
    inputs?.pointee.filter_ctx = sink
    try check(
      avfilter_graph_parse_ptr(pointer, description, &inputs, &outputs, nil),
      "avfilter_graph_parse_ptr", description)
    try check(avfilter_graph_config(pointer, nil), "avfilter_graph_config", description)
  }

  /// Checks the links, and makes the graph ready for frames.
  public func configure() throws(FFmpegError) {
    try check(avfilter_graph_config(pointer, nil), "avfilter_graph_config", "a filter graph")
  }
}
