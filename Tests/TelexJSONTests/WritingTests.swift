import TelexJSON
import Testing

@Suite struct WritingTests {
    @Test("objects and arrays are written compactly, missing values left out")
    func compact() {
        var json = JSONWriter()
        json.beginObject()
        json.field("a", 1)
        json.field("none", nil as Int?)
        json.field("b", [true, false])
        json.field("c", ["y": "2", "x": "1"])
        json.field("d", Nullable<Int>.null)
        json.field("e", Level.high)
        json.key("f")
        json.beginArray()
        json.endArray()
        json.field("g", Indirect(UInt.max))
        json.field("h", Int64.min)
        json.endObject()
        #expect(
            json.text
                == #"{"a":1,"b":[true,false],"c":{"x":"1","y":"2"},"d":null,"e":"high","f":[],"#
                + #""g":18446744073709551615,"h":-9223372036854775808}"#)
    }

    @Test(
        "members by position have no keys; an omitted one is null before others, and else left out")
    func positions() {
        let rows: [([Int?], String)] = [
            ([], "[]"), ([nil, nil], "[]"), ([1, nil], "[1]"), ([nil, nil, 2], "[null,null,2]"),
        ]
        for (values, text) in rows {
            var json = JSONWriter()
            json.beginPositions()
            for value in values { json.field("a", value) }
            json.endArray()
            #expect(json.text == text)
        }
    }

    @Test("members by position have their place in the path, and secret ones their range")
    func positionPaths() {
        var json = JSONWriter()
        json.beginObject()
        json.key("params")
        json.beginPositions()
        json.field("a", nil as Int?)
        json.field("b", "x", sensitive: true)
        #expect(json.path == "params[1]")
        json.key("c")
        json.beginObject()
        json.field("d", 1)
        #expect(json.path == "params[2].d")
        json.endObject()
        json.field("e", "y", sensitive: true)
        json.endArray()
        json.field("f", 1)
        json.endObject()
        #expect(json.text == #"{"params":[null,"x",{"d":1},"y"],"f":1}"#)
        let secrets = json.sensitiveRanges.map { String(decoding: json.bytes[$0], as: UTF8.self) }
        #expect(secrets == [#""x""#, #""y""#])
    }

    @Test("the JSON writer reports the ranges of sensitive values, the outermost of nested ones")
    func sensitiveRanges() {
        var json = JSONWriter()
        json.beginObject()
        json.field("a", "1", sensitive: true)
        json.field("b", 2)
        json.key("c", sensitive: true)
        json.beginObject()
        json.field("d", "é\"", sensitive: true)
        json.field("e", 3)
        json.endObject()
        json.key("f")
        json.beginObject()
        json.field("g", true, sensitive: true)
        json.endObject()
        json.endObject()
        let texts = json.sensitiveRanges.map {
            String(decoding: json.bytes[$0], as: UTF8.self)
        }
        #expect(texts == [#""1""#, #"{"d":"é\"","e":3}"#, "true"])
    }

    @Test("values are written in other spellings where asked")
    func spellings() {
        var json = JSONWriter()
        json.beginObject()
        json.field("a", "12", as: .int)
        json.field("b", 7, as: .string)
        json.field("c", true, as: .int)
        json.field("d", 1.5, as: .string)
        json.field("e", nil as Bool?, as: .int)
        json.key("f")
        json.map(["y": 1, "x": 0]) { json, value in json.value(value == 1, as: .string) }
        json.field("g", "x", as: .int, sensitive: true)
        json.endObject()
        #expect(
            json.text
                == #"{"a":12,"b":"7","c":1,"d":"1.5","f":{"x":"false","y":"true"},"g":null}"#)
        #expect(json.violations.map(\.path) == ["g"])
        #expect(json.violations.map(\.found) == [Violation.redacted])
        let holdsSensitive = json.holdsSensitive
        #expect(holdsSensitive)
    }

    @Test("numbers that are none in JSON are texts where asked, and words stand for Booleans")
    func notFinite() {
        for form in [JSONSource.string, .either] {
            var json = JSONWriter()
            json.beginArray()
            for value in [Double.nan, -.nan, .infinity, -.infinity] { json.value(value, as: form) }
            json.value(1.5, as: form)
            json.value(true, true: "Y", false: "N")
            json.endArray()
            let number = form == .string ? "\"1.5\"" : "1.5"
            #expect(json.text == "[\"NaN\",\"NaN\",\"Infinity\",\"-Infinity\",\(number),\"Y\"]")
            #expect(json.violations.isEmpty)
        }
        var json = JSONWriter()
        json.value(Double.nan, as: .native)
        #expect(json.text == "null" && json.violations.map(\.rule) == ["finite"])
    }

    @Test("text is escaped where necessary, and survives a round trip")
    func escapes() {
        let scalars = (0...0x2FF).compactMap { UnicodeScalar(UInt32($0)) }
        var text = String(String.UnicodeScalarView(scalars))
        text += "😀\"\\" + String(repeating: "long text ", count: 20)
        var json = JSONWriter()
        json.value(text)
        #expect(value(json.text) == text)
        var short = JSONWriter()
        short.value("a\"\\\n\u{1}\u{1F}é/")
        #expect(short.text == #""a\"\\\n\u0001\u001fé/""#)
    }

    @Test("rules of a writer apply to the member written last")
    func paths() {
        var json = JSONWriter()
        json.beginObject()
        json.key("list")
        json.beginArray()
        for name in ["a", "bb"] {
            json.beginElement()
            json.beginObject()
            json.field("odd name", name)
            json.maxLength(name, 1)
            json.endObject()
        }
        json.endArray()
        json.field("password", "short", sensitive: true)
        json.minLength("short", 8)
        json.field("rate", Double.infinity)
        json.field("none", nil as String?)
        json.minLength("x", 2)
        json.endObject()
        #expect(
            json.violations.map { "\($0.path): \($0.found)" } == [
                #"list[1]["odd name"]: "bb""#, "password: \(Violation.redacted)", "rate: inf",
                #"none: "x""#,
            ])
        #expect(JSONReader.value(at: ["rate"], in: json.bytes) == .null)
    }

    @Test("any value survives a round trip, big numbers to the digit and members in order")
    func roundTrip() throws {
        let text =
            #"{"z":[1,-2.50,1e400,123456789012345678901234567890,-0,true,null,"\u0007é"],"a":{}}"#
        let read = try #require(value(text, as: JSONValue.self))
        #expect(read.description == text)
        #expect(read["z"]?[1] == .number("-2.50"))
        #expect(read["z"]?[1]?.asDouble == -2.5)
        #expect(read.asObject?.keys == ["z", "a"])
    }

    @Test("values are equal if they mean the same")
    func equality() {
        let value: JSONValue = ["a": 1, "b": [1.5, "x", nil, true]]
        let other: JSONValue = ["b": [.number("15e-1"), "x", nil, true], "a": .number("1.0")]
        #expect(value == other)
        #expect(value.hashValue == other.hashValue)
        #expect(JSONValue.int(1) != .bool(true))
        #expect(JSONValue.number("0.1") != .number("0.10000000000000001"))
        #expect(JSONValue.number("1e400") == .number("10e399"))
        #expect(JSONValue(2.0) == 2)
        #expect(JSONValue.number("1e2").asInt == 100)
        #expect(value["b"]?[9] == nil)
    }

    @Test("an object keeps its keys unique")
    func object() {
        var object: JSONObject = ["a": 1, "b": 2, "a": 3]
        #expect(object.keys == ["a", "b"])
        #expect(object["a"] == 3)
        object["b"] = nil
        object["c"] = 4
        #expect(JSONValue.object(object).description == #"{"a":3,"c":4}"#)
    }

    @Test("text that is no number is never written as a number")
    func malformed() {
        var json = JSONWriter()
        JSONValue.number("1}, {").write(to: &json)
        #expect(json.text == "null")
        #expect(json.violations.map(\.rule) == ["type"])
    }

    @Test("literal keys are escaped as keys that are data, and read back in paths")
    func literalKeys() {
        let keys: [StaticString] = [
            "", "x", "é", "\"", "\\", "a\nb", "\u{1}", "{", "a,b", "日本", "exactly 16 bytes",
            "seventeen bytes \"", "\tmore than sixteen bytes, and more than thirty-two",
        ]
        for key in keys {
            var literal = JSONWriter()
            var data = JSONWriter()
            literal.beginObject()
            literal.field(key, nil as Int?)
            let omitted = literal.path
            literal.field(key, 1)
            let written = literal.path
            #expect(written == omitted)
            literal.endObject()
            data.beginObject()
            data.key(key.description)
            data.value(1)
            data.endObject()
            #expect(literal.text == data.text)
            #expect(value(literal.text, as: [String: Int].self) == [key.description: 1])
        }
    }

    @Test("text of any length is read back, wherever it needs an escape")
    func lengths() {
        for count in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 600] {
            for place in Set([0, 1, count / 2, count - 1]) where place < count {
                for special in ["\"", "\\", "\u{0}", "\n", "é", "😊"] {
                    var texts = [String](repeating: "a", count: count)
                    texts[place] = special
                    let text = texts.joined()
                    var json = JSONWriter()
                    json.value(text)
                    #expect(value(json.text, as: String.self) == text)
                }
            }
            // Each byte takes six; the buffer grows in the middle of the text.
            let controls = String(repeating: "\u{1}", count: count * 3)
            var json = JSONWriter()
            json.value(controls)
            #expect(value(json.text, as: String.self) == controls)
        }
    }

    @Test("integers of each number of digits are written as Swift describes them")
    func digits() {
        var power: UInt64 = 1
        for _ in 0..<20 {
            for number in [power - 1, power, power + 1, power &* 7 / 3, power &* 9] {
                var json = JSONWriter()
                json.value(UInt(number))
                json.beginArray()
                json.value(Int64(bitPattern: number))
                json.endArray()
                #expect(json.text == "\(number),[\(Int64(bitPattern: number))]")
            }
            power = power &* 10
        }
    }

    @Test("closing too often does nothing")
    func careless() {
        var json = JSONWriter()
        json.endObject()
        json.endArray()
        json.value("x")
        #expect(json.text == "\"x\"")
    }

    @Test("boxes and nullables read their values")
    func wrappers() {
        #expect(value("[null, 1]", as: [Nullable<Int>].self) == [.null, .value(1)])
        #expect(value("1", as: Indirect<Int>.self)?.value == 1)
        #expect(String(reflecting: Optional(Indirect("a"))) == #"Optional("a")"#)
        #expect(Mirror(reflecting: Indirect(["a"])).displayStyle == .collection)
        #expect(value(#"{"1": 2}"#, as: [Int: Int].self) == [1: 2])
        #expect(value(#"{"x": 2}"#, as: [Int: Int].self) == nil)
    }
}
