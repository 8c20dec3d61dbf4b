import TestSupport
import Testing

/// OSCQuery as its clients read it, of the real program.
@Suite struct OSCQueryTests {
  @Test("every parameter is found with its type, range and value, and single attributes too")
  func tree() throws {
    let served = try Served()
    let root = try JSON(served.get("/").text)
    #expect(root["FULL_PATH"].text == "/" && root["ACCESS"].number == 0)
    let effects = root["CONTENTS"]["effect"]["CONTENTS"]
    #expect(effects.keys == ["1", "2"])
    #expect(effects["1"]["DESCRIPTION"].text?.hasPrefix("vignette: ") == true)
    let amount = effects["1"]["CONTENTS"]["amount"]
    #expect(amount["FULL_PATH"].text == "/effect/1/amount")
    #expect(amount["TYPE"].text == "f" && amount["ACCESS"].number == 3)
    #expect(amount["VALUE"].numbers == [0.6])
    #expect(amount["RANGE"][0]["MIN"].number == 0 && amount["RANGE"][0]["MAX"].number == 1)
    #expect(amount["DESCRIPTION"].text == "How strong the corners are tinted")
    let center = effects["1"]["CONTENTS"]["center"]
    #expect(center["TYPE"].text == "ff" && center["RANGE"].items.count == 2)
    #expect(effects["1"]["CONTENTS"]["tint"]["TYPE"].text == "ffff")
    #expect(effects["2"]["CONTENTS"]["lines"]["TYPE"].text == "i")

    let info = try JSON(served.get("/?HOST_INFO").text)
    #expect(info["OSC_PORT"].number == Double(served.port))
    #expect(info["OSC_TRANSPORT"].text == "UDP" && info["OSC_IP"].text == "127.0.0.1")
    let extensions = info["EXTENSIONS"]
    #expect(
      extensions.keys.filter { extensions[$0].flag == true } == [
        "ACCESS", "VALUE", "RANGE", "DESCRIPTION",
      ])
    #expect(extensions["LISTEN"].flag == false && extensions["PATH_CHANGED"].flag == false)

    #expect(try JSON(served.get("/effect/1/amount?VALUE").text)["VALUE"].numbers == [0.6])
    #expect(try JSON(served.get("/effect/1/amount?TYPE").text).keys == ["TYPE"])
    #expect(try JSON(served.get("/effect/2?CONTENTS").text)["CONTENTS"].keys.contains("lines"))
    #expect(try served.get("/effect/1?VALUE").status == 204)
    #expect(try served.get("/effect/1/amount?NONSENSE").status == 400)
    #expect(try served.get("/effect/3").status == 404)
    #expect(try served.get("/effect/1/amount/more").status == 404)

    #expect(
      try served.post(#"{"do":"set","effect":1,"parameter":"amount","value":0.25}"#).status == 200)
    #expect(try JSON(served.get("/effect/1/amount?VALUE").text)["VALUE"].numbers == [0.25])
    let end = served.stop()
    #expect(end.exitCode == 0, "\(end)")
  }

  @Test("an event has no value, a switch is true or false, and a menu has its entries")
  func types() throws {
    let effects = try TemporaryFolder()
    try effects.write(
      Array(
        """
        /*{"INPUTS": [{"NAME": "flash", "TYPE": "event"}, {"NAME": "on", "TYPE": "bool", "DEFAULT": true},
          {"NAME": "menu", "TYPE": "long", "VALUES": [3, 5], "LABELS": ["three", "five"], "DEFAULT": 5}]}*/
        vec4 effect(vec2 uv) { return vec4(float(menu), on && flash ? 1.0 : 0.0, 0.0, 1.0); }

        """.utf8), to: "types.comp")
    let served = try Served([
      "preview", "--no-window", "-i", "testsrc", "--size", "64x36", "-e",
      effects.file("types.comp"),
    ])
    let types = try JSON(served.get("/effect/1").text)["CONTENTS"]
    #expect(types["flash"]["TYPE"].text == "I" && types["flash"]["VALUE"].items.count == 1)
    #expect(types["flash"]["VALUE"][0].isNull)
    #expect(types["on"]["TYPE"].text == "T" && types["on"]["VALUE"][0].flag == true)
    #expect(types["on"]["RANGE"].isNull)
    #expect(types["menu"]["TYPE"].text == "i" && types["menu"]["VALUE"].numbers == [5])
    #expect(types["menu"]["RANGE"][0]["VALS"].numbers == [3, 5])
    #expect(served.stop().exitCode == 0)
  }

  @Test("browsers get the page, and programs the tree")
  func page() throws {
    let served = try Served()
    let page = try served.get("/", ["Accept: text/html,application/xhtml+xml;q=0.9"])
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    let policy = page.headers["content-security-policy"] ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'nonce-"))
    // Nothing comes from elsewhere, and each answer has a nonce of its own.
    #expect(!page.text.contains("//") || !page.text.contains("http"))
    let other = try served.get("/", ["Accept: text/html"])
    #expect(policy != other.headers["content-security-policy"])
    for header in ["Accept: */*", "Accept: application/json", "X: y"] {
      #expect(try served.get("/", [header]).headers["content-type"] == "application/json")
    }
    #expect(try served.get("/?VALUE", ["Accept: text/html"]).status == 204)
    #expect(served.stop().exitCode == 0)
  }
}
