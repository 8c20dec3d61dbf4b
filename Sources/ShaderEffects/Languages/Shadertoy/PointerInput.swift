/// The parameters through which a pointer reaches a shader that reads Shadertoy's `iMouse`.
///
/// They are ordinary parameters, so a movement of the pointer can be kept and replayed like any change.
public enum PointerInput {
  /// Where the pointer was last while its button was down; 0/0 is the bottom left, 1/1 the top right.
  public static let place = "iMousePlace"
  /// Where the button went down last.
  public static let click = "iMouseClick"
  /// Whether the button is down.
  public static let isDown = "iMouseDown"
  /// Fires in the frame in which the button goes down.
  public static let clicked = "iMouseClicked"

  /// Whether a parameter of this name is one of them.
  public static func isOne(_ name: String) -> Bool {
    [place, click, isDown, clicked].contains(name)
  }

  /// The declarations for the header of a shader that reads `iMouse`; none for another one.
  static func inputs(for words: Set<String>) -> [LocatedJSON] {
    guard words.contains("iMouse") else { return [] }
    func point(_ name: String, _ what: String) -> LocatedJSON {
      HeaderText.input(
        name, "point2D",
        ["LABEL": .init(.string(what)), "DEFAULT": [0, 0], "MIN": [0, 0], "MAX": [1, 1]])
    }
    return [
      point(place, "The pointer, from the bottom left"),
      point(click, "Where its button went down"),
      HeaderText.input(isDown, "bool", ["LABEL": "Its button is down", "DEFAULT": 0]),
      HeaderText.input(clicked, "event", ["LABEL": "Its button goes down"]),
    ]
  }

  /// GLSL for `iMouse`: the place in pixels; then the place of the click, whose x is positive while the
  /// button is down, and whose y is positive in the frame of the click (shadertoy.com/howto).
  static let glsl = """
    vec4 iMouse = vec4(\(place) * RENDERSIZE, (\(isDown) ? 1.0 : -1.0) * \(click).x * RENDERSIZE.x, \
    (\(clicked) ? 1.0 : -1.0) * \(click).y * RENDERSIZE.y);
    """
}
