package import Frames

/// What is asked of a source: which one, what part of it, and what to believe instead of its tags.
package struct SourceRequest: Sendable {
  /// As typed: the words of a `SourceKind`; empty for the first camera.
  package var input: String
  /// Where to start, in seconds from the source's beginning.
  package var start: Rational?
  /// How much to deliver at most, in seconds and in frames.
  package var duration: Rational?
  package var frames: Int?
  /// How many frames the output holds at most, where those of the source are another matter: a still
  /// gives as many.
  package var outputFrames: Int?
  /// The size of a generated picture; a file has its own.
  package var size: (width: Int, height: Int)?
  /// The rate of an image sequence (default 25) or of a generated picture (default 30).
  package var frameRate: Rational?
  package var includesAudio = true
  /// Effects hear the sound, whether outputs take it or not: what is heard while a picture is seen
  /// comes before it, as far as it is stored at most 30 seconds behind.
  package var isHeard = false
  /// Its title, author, date and place are wanted.
  package var includesTags = true
  /// Frames are wanted at their own pace, as from a live source.
  package var isPaced = false
  /// A paced source waits for the line where that is slower: it is not live, and no frame is lost.
  package var pacedFramesWait = false
  package var camera = CameraRequest()
  /// For sources tagged wrong: these replace the tags.
  package var tagOverrides = ColorTags()
  /// Threads the decoder may use; 0 lets it choose.
  package var decoderThreads = 0

  /// Told of what happens, by the thread that reads.
  package var notice: @Sendable (Notice) -> Void = { _ in }

  /// Ends the source's waits; whoever makes the request may keep it.
  package var interruption = Interruption()

  package init(input: String) { self.input = input }
}
