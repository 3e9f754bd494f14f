import TelexJSON
import Testing

@testable import TelexRuntime

@Suite("The scanner for values of secret names")
struct SecretScannerTests {
    private func hidden(_ text: String, _ names: Set<String> = ["pin", "odd name"]) -> String {
        Redactor().text(of: Array(text.utf8), type: "text/plain", hiding: names) ?? "no text"
    }

    @Test("the scanner for values of secret names finds texts, numbers, lists and objects of JSON")
    func json() {
        #expect(hidden(#"{"pin":"a\"b","x":1}"#) == #"{"pin":"‹redacted›","x":1}"#)
        #expect(hidden(#"{ "PIN" : -1.5e3 }"#).hasPrefix(#"{ "PIN" : ‹redacted›"#))
        #expect(hidden(#"{"pin":[1,{"a":"]"}],"x":1}"#) == #"{"pin":‹redacted›,"x":1}"#)
        #expect(hidden(#"{"odd name":{"a":{}},"x":1}"#) == #"{"odd name":‹redacted›,"x":1}"#)
        #expect(hidden(#"{"x":{"pin":true}}"#) == #"{"x":{"pin":‹redacted›}}"#)
    }

    @Test("the scanner for values of secret names finds names that are written with escapes")
    func escapedNames() {
        #expect(hidden(#"{"p\u0069n":"a"}"#) == #"{"p\u0069n":"‹redacted›"}"#)
        #expect(hidden(#"{"o\u0064d name":[1]}"#) == #"{"o\u0064d name":‹redacted›}"#)
        let names: Set = ["пароль", "card/no"]
        let password = #"{"\u043f\u0430\u0440\u043e\u043b\u044c":"geheim","card\/no":1}"#
        #expect(!hidden(password, names).contains("geheim"))
        #expect(hidden(password, names).hasSuffix(#""card\/no":‹redacted›}"#))
    }

    @Test("the scanner for secrets is not misled by preceding text into the middle of a secret")
    func bait() {
        #expect(
            hidden(#"{"a":"pin: [","pin":"t]u-secret"}"#)
                == #"{"a":"pin: ‹redacted›","pin":"‹redacted›"}"#)
        #expect(
            hidden(#"{"a":"pin: ' ","pin":"t'u-secret"}"#)
                == #"{"a":"pin: ‹redacted›","pin":"‹redacted›"}"#)
        #expect(
            hidden(#"{"a":"new pin: {x","pin":"a}b-secret","c":1}"#)
                == #"{"a":"new pin: ‹redacted›","pin":"‹redacted›","c":1}"#)
        #expect(hidden("pin: [a\npin=t]u-secret&b=1") == "pin: ‹redacted›")
        #expect(!hidden(#"<- {"a":"pin: {x","pin":"a}b-secret","c":1}"#).contains("secret"))
    }

    @Test("the scanner for secrets is not misled by texts that begin as JSON and are not")
    func noJSON() {
        for text in [
            #"[debug] "pin": Bearer eyJabc, more"#, #"[x] "pin": my eyJabc"#,
            #"[info] 5" disk, pin: "a eyJabc", next"#, #"{'n': '5"', 'pin': 'a"b eyJabc'}"#,
            #""quoted" pin: eyJabc"#, #"{"a":1} pin=eyJabc"#, #"{"a":"b","pin":"x eyJabc"#,
        ] {
            #expect(!hidden(text).contains("eyJabc"), "\(text)")
            #expect(hidden(text).contains(Redactor.mark))
        }
    }

    @Test("the scanner for secrets finds names and values in JSON nested in JSON strings")
    func deeplyNested() {
        #expect(
            hidden(#"{"a":"{\"p\\u0069n\":\"eyJ\"}"}"#)
                == #"{"a":"{\"p\\u0069n\":‹redacted›}"}"#)
        var text = #"{"pin":"eyJ","b":1}"#
        for _ in 0..<4 {
            var json = JSONWriter()
            json.beginObject()
            json.field("a", text)
            json.endObject()
            text = String(decoding: json.bytes, as: UTF8.self)
            #expect(!hidden(text).contains("eyJ"), "\(text)")
            #expect(hidden(text).contains("1"))
        }
    }

    @Test("the scanner for secrets finds a secret in JSON whatever the texts around it are")
    func anyTexts() {
        var random = SeededRandom(seed: 7)
        let alphabet = Array(#""\'[]{}:=,&;<> pin\n"#)
        func text() -> String {
            String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? "x"
                })
        }
        for _ in 0..<2000 {
            var json = JSONWriter()
            json.beginObject()
            json.field("a", text())
            json.key(text() + "b")
            json.value([text(), text()])
            json.field("pin", text() + "§" + text())
            json.field("c", text())
            json.endObject()
            let whole = String(decoding: json.bytes, as: UTF8.self)
            #expect(!hidden(whole).contains("§"), "\(whole)")
            // In other texts, too.
            #expect(!hidden("got: \(whole)").contains("§"), "\(whole)")
        }
    }

    @Test(
        "the scanner for secrets hides the rest of a text whose values might not end",
        arguments: ["{", "[", "'", "\""])
    func endless(start: String) {
        let text = String(repeating: "pin:\(start)", count: 40_000) + " and"
        let places = SecretScanner.places(of: ["pin"], in: Array(text.utf8))
        #expect(places == [4..<text.utf8.count])
    }

    @Test("the scanner for values of secret names finds the values of forms and of lines")
    func others() {
        #expect(hidden("a=1&pin=2&b=3") == "a=1&pin=‹redacted›&b=3")
        #expect(hidden("Pin: 2 3\r\nb: 4") == "Pin: ‹redacted›\r\nb: 4")
    }

    @Test("the scanner for secrets finds values in JSON within a JSON string, whatever its quotes")
    func nested() {
        #expect(
            hidden(#"{"a":"{\"pin\":\"NEW\",\"x\":1}"}"#)
                == #"{"a":"{\"pin\":‹redacted›,\"x\":1}"}"#)
        #expect(hidden(#"{"a":"{\"pin\":\"N\\\"E\"}"}"#) == #"{"a":"{\"pin\":‹redacted›}"}"#)
        #expect(hidden(#"{"a":"{\"pin\":\"NEW"}"#) == #"{"a":"{\"pin\":‹redacted›"}"#)
        #expect(hidden(#"{"a":"{\"pin\":\"NE"#) == #"{"a":"{\"pin\":‹redacted›"#)
        #expect(hidden(#"{"a":"\"pin\":\"#) == #"{"a":"\"pin\":‹redacted›"#)
    }

    @Test("the scanner for secrets hides the rest of a text in which a secret begins like JSON")
    func cut() {
        #expect(hidden(#"{"pin":"abc"#) == #"{"pin":‹redacted›"#)
        #expect(hidden(#"{"pin":{"a":"b"#) == #"{"pin":‹redacted›"#)
        #expect(hidden(#"{"pin":"#) == #"{"pin":"#)
        #expect(hidden(#"{"pin"#) == #"{"pin"#)
        #expect(hidden(#"{"pin":"a\"#) == #"{"pin":‹redacted›"#)
    }

    @Test("the scanner for secrets knows no names of a partly read reply after skipped parts")
    func brokenReply() {
        let content = UsersRequests.get(ids: ["1"]).content
        func names(_ text: String) -> Set<String>? {
            content.sensitiveKeys(in: Reply(text), at: ["response"], limits: JSONLimits())
        }
        #expect(names(#"{"response":[]}"#) == [])
        #expect(names(#"{"response":NaN,"user":{}}"#) == nil)
        #expect(names(#"{"response":{"pin":1}}"#) == nil)
    }

    @Test("the scanner for secrets leaves longer names and words without a value unchanged")
    func innocent() {
        for text in [#"{"pins":1,"my_pin":2}"#, "the pin is wrong", #"["pin"]"#, ""] {
            #expect(hidden(text) == text)
        }
    }
}
