package import Frames
package import ShaderEffects

/// What the page shows and changes of a running recording.
///
/// The server's thread calls everything; nothing may wait for the recording.
package protocol PageRecording: Sendable {
  /// What is recorded, in a few words.
  var title: String { get }
  /// The effects with their parameters, and where these are changed.
  var inbox: ParameterInbox { get }
  /// The glide of changes, in seconds.
  var glide: Rational { get }

  /// Why the chain cannot be changed; nil if it can.
  var chainRefusal: String? { get }
  /// Whether a chain was asked for that does not act yet.
  var isChainPending: Bool { get }
  /// The effects that can be added; may read files.
  var addableEffects: [AddableEffect] { get }
  /// Asks for another chain.
  func change(_ change: ChainChange) throws(PageError)

  /// The movie that is started and ended on the page.
  var movie: PageMovie { get }
  /// Starts a movie unless one is on, or ends the one that is on: two pages, or a page and a key, may ask for the same.
  func switchMovie(on: Bool)
  /// Saves the newest frame as an image, without waiting for it.
  ///
  /// - Throws: If there is no frame yet, or another one is being saved.
  func saveStill() throws(PageError)

  /// What is wrong until it is mended; nil if nothing is.
  var problem: String? { get }
  /// The newest sentence for people, with a number that grows.
  var said: (number: Int, text: String) { get }

  /// Returns the newest picture, a JPEG file, if its number is higher than the given one.
  func picture(after number: Int) -> (number: Int, bytes: [UInt8])?
  /// Counts those who look at pictures.
  func changeViewers(by difference: Int)
  /// Adds what is called, on any thread, when there is a new picture; it must not block.
  func addWake(_ wake: @escaping @Sendable () -> Void)
}

/// An effect in the list of effects that can be added.
package struct AddableEffect: Sendable, Equatable {
  package let name: String
  package let description: String
  /// The first of its categories; may be empty.
  package let category: String

  package init(name: String, description: String, category: String) {
    (self.name, self.description, self.category) = (name, description, category)
  }
}

/// A change of the chain; effects are named by their tags.
package enum ChainChange: Sendable, Equatable {
  /// Adds an effect at the end.
  case add(name: String)
  case remove(tag: Int)
  /// Moves an effect this many places; below 0 towards the beginning.
  case move(tag: Int, by: Int)
}

/// A movie that is started and ended by hand.
package enum PageMovie: Sendable, Equatable {
  /// There can be none, for this reason.
  case refused(String)
  case off
  /// It is being written; the name is nil before its first frame.
  case on(name: String?)
}

/// Why something that was asked for is not done, as a sentence.
package struct PageError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
