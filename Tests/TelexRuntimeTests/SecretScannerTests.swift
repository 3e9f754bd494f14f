import TelexJSON
import Testing

@testable import TelexRuntime

@Suite("The search for the values of secret names")
struct SecretScannerTests {
    private func hidden(_ text: String, _ names: Set<String> = ["pin", "odd name"]) -> String {
        let bytes = Array(text.utf8)
        let places = BodyText.places(of: names, in: bytes)
        return BodyText.text(bytes, Redactor(), hiding: places, upTo: 1000) ?? "no text"
    }

    @Test("finds texts, numbers, lists and objects of JSON")
    func json() {
        #expect(hidden(#"{"pin":"a\"b","x":1}"#) == #"{"pin":"‹redacted›","x":1}"#)
        #expect(hidden(#"{ "PIN" : -1.5e3 }"#).hasPrefix(#"{ "PIN" : ‹redacted›"#))
        #expect(hidden(#"{"pin":[1,{"a":"]"}],"x":1}"#) == #"{"pin":‹redacted›,"x":1}"#)
        #expect(hidden(#"{"odd name":{"a":{}},"x":1}"#) == #"{"odd name":‹redacted›,"x":1}"#)
        #expect(hidden(#"{"x":{"pin":true}}"#) == #"{"x":{"pin":‹redacted›}}"#)
    }

    @Test("finds the values of forms and of lines")
    func others() {
        #expect(hidden("a=1&pin=2&b=3") == "a=1&pin=‹redacted›&b=3")
        #expect(hidden("Pin: 2 3\r\nb: 4") == "Pin: ‹redacted›\r\nb: 4")
    }

    @Test("finds the values in JSON that is a text of JSON, whatever quotes they hold")
    func nested() {
        #expect(
            hidden(#"{"a":"{\"pin\":\"NEW\",\"x\":1}"}"#)
                == #"{"a":"{\"pin\":‹redacted›,\"x\":1}"}"#)
        #expect(hidden(#"{"a":"{\"pin\":\"N\\\"E\"}"}"#) == #"{"a":"{\"pin\":‹redacted›}"}"#)
        #expect(hidden(#"{"a":"{\"pin\":\"NEW"}"#) == #"{"a":"{\"pin\":‹redacted›"}"#)
        #expect(hidden(#"{"a":"{\"pin\":\"NE"#) == #"{"a":"{\"pin\":‹redacted›"#)
        #expect(hidden(#"{"a":"\"pin\":\"#) == #"{"a":"\"pin\":‹redacted›"#)
    }

    @Test("finds the values of elements, and no more than those")
    func elements() {
        #expect(hidden("<a><pin>NEW</pin>b</a>") == "<a><pin>‹redacted›</pin>b</a>")
        #expect(hidden("<pin>NE") == "<pin>‹redacted›")
        #expect(hidden("pin > 3") == "pin > 3")
    }

    @Test("hides the rest of a text that breaks off in a secret")
    func cut() {
        #expect(hidden(#"{"pin":"abc"#) == #"{"pin":‹redacted›"#)
        #expect(hidden(#"{"pin":{"a":"b"#) == #"{"pin":‹redacted›"#)
        #expect(hidden(#"{"pin":"#) == #"{"pin":"#)
        #expect(hidden(#"{"pin"#) == #"{"pin"#)
        #expect(hidden(#"{"pin":"a\"#) == #"{"pin":‹redacted›"#)
    }

    @Test("knows no names in a reply that could not be read whole, and passed some of it over")
    func brokenReply() {
        let content = UsersRequests.get(ids: ["1"]).content
        func names(_ text: String) -> Set<String>? {
            content.sensitiveKeys(in: Array(text.utf8), at: ["response"], JSONLimits())
        }
        #expect(names(#"{"response":[]}"#) == [])
        #expect(names(#"{"response":NaN,"user":{}}"#) == nil)
        #expect(names(#"{"response":{"pin":1}}"#) == nil)
    }

    @Test("leaves longer names and words without a value alone")
    func innocent() {
        for text in [#"{"pins":1,"my_pin":2}"#, "the pin is wrong", #"["pin"]"#, ""] {
            #expect(hidden(text) == text)
        }
    }
}
