import TestSupport
import Testing

/// The page in a real browser, with the real program.
@Suite struct PageTests {
  @Test(
    "a slider, the chain, a mute, a movie and the picture work in a browser, and two pages agree")
  func work() throws {
    let served = try Served([
      "preview", "--no-window", "-i", "testsrc", "--size", "320x180", "-e", "vignette",
    ])
    let browser = try Browser()
    try browser.resize(1280, 800)
    try browser.open("http://localhost:\(served.port)/")
    let card = "li[data-effect=vignette]"
    try browser.wait(for: "document.querySelector('\(card)')", served.child)
    // The live picture has the frames' size.
    try browser.wait(for: "document.getElementById('picture').naturalWidth === 320", served.child)

    // Keys move the slider by hundredths of its range.
    try browser.type("\u{E014}\u{E014}", into: "#p1-amount-0")
    let moved = try served.waitForState {
      ($0["effects"][0].parameter("amount")["value"].numbers.first ?? 0) > 0.61
    }
    #expect(abs(moved["effects"][0].parameter("amount")["value"].numbers[0] - 0.62) < 0.0001)
    // What somebody else changes is shown too.
    try served.post(#"{"do":"set","effect":1,"parameter":"radius","value":1.25}"#)
    try browser.wait(for: "document.getElementById('p1-radius-0').value === '1.25'", served.child)

    try browser.run(
      "const list = document.getElementById('list'); list.value = 'invert'; return list.value")
    try browser.press("#add button")
    try browser.wait(for: "document.querySelector('li[data-effect=invert]')", served.child)
    #expect(try served.state()["effects"].items.count == 2)
    try browser.press("li[data-effect=invert] button[aria-label='Move invert up']")
    try served.waitForState { $0["effects"][0]["name"].text == "invert" }
    try browser.wait(
      for: "document.querySelector('#cards li').dataset.effect === 'invert'", served.child)
    try browser.press("li[data-effect=invert] button[aria-label='Mute invert']")
    try served.waitForState { $0["effects"][0]["isMuted"].flag == true }
    try browser.wait(for: "document.querySelector('li.muted[data-effect=invert]')", served.child)
    try browser.press("li[data-effect=invert] button[aria-label='Remove invert']")
    try browser.wait(for: "!document.querySelector('li[data-effect=invert]')", served.child)

    try browser.press("#record")
    try browser.wait(
      for: "document.getElementById('note').textContent.includes('kfrec-0001.mov')", served.child)
    // The key does what the button does.
    try browser.type("r", into: "#record")
    try served.waitForState { $0["said"]["text"].text?.hasPrefix("saved kfrec-0001.mov") == true }
    try browser.press("#still")
    try served.waitForState { $0["said"]["text"].text == "saved kfrec-0001.png" }
    #expect(try browser.complaints() == [])
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
    try browser.wait(
      for: "document.getElementById('link').textContent === 'not connected'", served.child)
  }

  @Test("a card shows the new label, description and default of an effect that is reloaded")
  func reload() throws {
    let effects = try TemporaryFolder()
    func write(_ words: String, usual: Double) throws {
      try effects.write(
        Array(
          """
          /*{"DESCRIPTION": "\(words) of it", "INPUTS": [{"NAME": "amount", "LABEL": "The \(words)", "TYPE": "float",
            "MIN": 0, "MAX": 1, "DEFAULT": \(usual), "DESCRIPTION": "the \(words) of amount"}]}*/
          vec4 effect(vec2 uv) { return vec4(amount); }

          """.utf8), to: "mine.comp")
    }
    try write("first", usual: 0.25)
    let served = try Served([
      "preview", "--no-window", "-i", "testsrc", "--size", "64x36", "--reload", "-e",
      effects.file("mine.comp"),
    ])
    let browser = try Browser()
    try browser.open("http://localhost:\(served.port)/")
    let label = "document.querySelector('.card .label')"
    try browser.wait(for: "\(label) && \(label).textContent === 'The first'", served.child)
    try write("second", usual: 0.75)
    try browser.wait(for: "\(label).textContent === 'The second'", served.child)
    #expect(try browser.run("return \(label).title").text == "the second of amount")
    #expect(
      try browser.run("return document.querySelector('.card h2').title").text == "second of it")
    #expect(try browser.run("return document.querySelectorAll('.card').length").number == 1)
    // The reset goes to the new default.
    try browser.press("button[aria-label='Reset The second']")
    try served.waitForState {
      $0["effects"][0].parameter("amount")["value"].numbers == [0.75]
    }
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test(
    "on a phone nothing scrolls sideways, and everything can be touched", arguments: [360, 1280])
  func layout(width: Int) throws {
    // Each kind of parameter, and an effect with many of them.
    let effects = try TemporaryFolder()
    try effects.write(
      Array(
        """
        /*{"INPUTS": [{"NAME": "amount", "TYPE": "float", "MIN": 0, "MAX": 1},
          {"NAME": "free", "TYPE": "float"}, {"NAME": "on", "TYPE": "bool"},
          {"NAME": "menu", "TYPE": "long", "VALUES": [0, 1], "LABELS": ["one", "a much longer entry of the menu"]},
          {"NAME": "whole", "TYPE": "long", "MIN": 1, "MAX": 9, "DEFAULT": 3},
          {"NAME": "place", "TYPE": "point2D", "MIN": [0, 0], "MAX": [1, 1]},
          {"NAME": "aVeryLongNameOfAParameterThatIsLong", "TYPE": "color"}, {"NAME": "flash", "TYPE": "event"}]}*/
        vec4 effect(vec2 uv) { return vec4(amount, free, place.x + float(whole + menu), on && flash ? 1.0 : 0.0)
          + aVeryLongNameOfAParameterThatIsLong; }

        """.utf8), to: "aLongNameOfAnEffectThatDoesNotFit.comp")
    let served = try Served([
      "preview", "--no-window", "-i", "testsrc", "--size", "320x180", "--effects-dir", effects.path,
      "-e", "aLongNameOfAnEffectThatDoesNotFit", "-e", "crt",
    ])
    let browser = try Browser()
    try browser.resize(width, width == 360 ? 740 : 800)
    try browser.open("http://localhost:\(served.port)/")
    try browser.wait(for: "document.querySelector('#list option')", served.child)
    try browser.wait(for: "document.getElementById('picture').naturalWidth === 320", served.child)
    #expect(try browser.run("return document.documentElement.scrollWidth").number == Double(width))
    let small = try browser.run(
      """
      return [...document.querySelectorAll("button, select, input")].filter((e) => e.offsetParent)
        .map((e) => [e.id || e.title || e.className, e.getBoundingClientRect()])
        .filter(([name, box]) => box.width < 44 || box.height < 44 || box.left < 0 || box.right > innerWidth)
        .map(([name, box]) => name + " " + box.width + "x" + box.height)
      """)
    #expect(small.items.isEmpty, "\(small)")
    // Everything that can be changed has a name for those who do not see it.
    let nameless = try browser.run(
      """
      return [...document.querySelectorAll("button, select, input")].filter((e) => !e.textContent.trim()
        && !e.getAttribute("aria-label") && !(e.labels && e.labels.length)).map((e) => e.id)
      """)
    #expect(nameless.items.isEmpty, "\(nameless)")
    #expect(try browser.screenshot().count > 10_000)
    #expect(try browser.complaints() == [])
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
  }
}
