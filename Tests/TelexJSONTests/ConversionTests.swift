import Foundation
import Testing

@testable import TelexJSON

/// A model with a reader, a writer and `Codable` conformance, as the emitter writes it.
private struct Account: Equatable, JSONCodable {
    var number: Int
    var secret: String?
    var note: JSONValue?

    static func read(from json: inout JSONReader) -> Account? {
        json.enterObject(
            required: "account-number", optional: "secret note", nullable: "", sensitive: "secret")
        var number = 0
        var secret: String?
        var note: JSONValue?
        while let field = json.nextField() {
            switch field {
            case 0: if json.int(&number) { json.minimum(number, 10) }
            case 1: if json.string(&secret) { json.maxLength(secret, 4) }
            default: json.read(&note)
            }
        }
        return json.endObject(Account(number: number, secret: consume secret, note: consume note))
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("account-number", number)
        json.minimum(number, 10)
        json.field("secret", secret, sensitive: true)
        json.maxLength(secret, 4)
        json.field("note", note)
        json.endObject()
    }
}

/// A value that is checked when it is written.
private struct Checked: JSONWritable {
    var level: Level

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("level", level)
        json.known(level)
        json.endObject()
    }
}

private let account = Account(number: 12, secret: "abc", note: ["a": [1, nil, true, 2.5]])
private let text = #"{"account-number":12,"secret":"abc","note":{"a":[1,null,true,2.5]}}"#

/// The report that an operation throws.
private func report(_ body: () throws(ValidationReport) -> Void) -> ValidationReport? {
    do throws(ValidationReport) { try body() } catch { return error }
    return nil
}

@Suite("A model is converted from and to JSON")
struct ConversionTests {
    @Test("JSON that does not match is an error with all violations and their paths")
    func mismatch() throws {
        let report = try #require(
            report { () throws(ValidationReport) in
                _ = try [Account](
                    json: #"[{"account-number": 9, "secret": "a long one"}, {"note": 1}]"#)
            })
        #expect(
            report.violations.map(\.description) == [
                "[0][\"account-number\"]: expected at least 10, found 9 [min]",
                "[0].secret: expected at most 4 characters, found ‹redacted› [max-length]",
                "[1][\"account-number\"]: expected the key, found nothing [required]",
            ])
        #expect(report.syntaxError == nil)
    }

    @Test("text that is not JSON, is too deep or too long is an error")
    func limits() {
        #expect(
            report { () throws(ValidationReport) in _ = try Account(json: "{") }?.syntaxError != nil
        )
        let deep = report { () throws(ValidationReport) in
            _ = try JSONValue(json: "[[[]]]", limits: JSONLimits(depth: 2))
        }
        #expect(deep?.syntaxError?.reason == .tooDeep(limit: 2))
        let endless = report { () throws(ValidationReport) in
            _ = try JSONValue(
                json: sequence(first: UInt8(ascii: " ")) { $0 }, limits: JSONLimits(bytes: 8))
        }
        #expect(endless?.syntaxError?.reason == .tooLarge(limit: 8))
        let value = report { () throws(ValidationReport) in
            _ = try Account(
                json: ["account-number": 12, "note": [[[]]]], limits: JSONLimits(depth: 3))
        }
        #expect(value?.syntaxError?.reason == .tooDeep(limit: 3))
    }

    @Test("a value that breaks a rule or has no JSON is not written")
    func unwritten() {
        let broken = report { () throws(ValidationReport) in
            _ = try Account(number: 9).jsonBytes()
        }
        #expect(broken?.violations.map(\.rule) == ["min"])
        #expect(
            report { () throws(ValidationReport) in _ = try Double.infinity.jsonValue() } != nil)
    }

    @Test("an unknown value of an enumeration is written, because it may have been received")
    func unknown() throws {
        let level = try Level(json: #""new""#)
        #expect(try Checked(level: level).jsonValue() == ["level": "new"])
    }

    @Test("bytes, text, slices and JSON values give the same model")
    func read() throws {
        #expect(try Account(json: text) == account)
        #expect(try Account(json: Array(text.utf8)) == account)
        #expect(try Account(json: Data(text.utf8)) == account)
        #expect(try Account(json: text.utf8.dropFirst(0)) == account)
        #expect(try Account(json: account.jsonValue()) == account)
        #expect(try [String: Account](json: ["x": account.jsonValue()]) == ["x": account])
    }

    @Test("a model gives bytes and a JSON value")
    func written() throws {
        #expect(try String(decoding: account.jsonBytes(), as: UTF8.self) == text)
        #expect(try account.jsonValue()["note"]?["a"]?[3]?.asDouble == 2.5)
    }
}

@Suite("A codable model")
struct CodableTests {
    @Test("a codable model reports violations as errors of decoding and encoding")
    func errors() throws {
        let json = Data(#"[{"account-number": 9, "secret": "a long one"}]"#.utf8)
        let decoding = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Account].self, from: json)
        }
        guard case .dataCorrupted(let context) = decoding else {
            Issue.record("\(String(describing: decoding))")
            return
        }
        #expect(context.codingPath.map(\.intValue) == [0])
        #expect(context.debugDescription.contains("expected at least 10, found 9"))
        #expect(!context.debugDescription.contains("a long one"))
        #expect((context.underlyingError as? ValidationReport)?.violations.count == 2)
        #expect(throws: EncodingError.self) {
            try JSONEncoder().encode(Account(number: 9))
        }
    }

    @Test("a codable model is the same after JSON, whatever strategies for keys are set")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var account = account
        account.note = ["aB": 1, "a_b": [:], "c": []]
        let data = try encoder.encode([account])
        #expect(try decoder.decode([Account].self, from: data) == [account])
    }

    @Test("a codable model is the same after a property list, in each format")
    func propertyList() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            let data = try encoder.encode([account])
            #expect(try PropertyListDecoder().decode([Account].self, from: data) == [account])
        }
    }

    @Test(
        "a codable model keeps numbers exact",
        arguments: [
            "0", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "0.1",
            "1e300", "1.0", "true", "null", "\"1\"", "[]", "{}",
        ])
    func exact(text: String) throws {
        let value = try JSONValue(json: text)
        let data = try JSONEncoder().encode(value)
        #expect(try JSONValue(json: data) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
    }

    @Test("a codable model cannot have a number outside the range of a double")
    func range() throws {
        let value = try JSONValue(json: "1e400")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(value) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONValue.self, from: Data("1e400".utf8))
        }
    }

    @Test("A value that JSON holds as it is equals the one that is read from its text")
    func held() throws {
        let values: [JSONValue] = [
            "a", "1", 1, -7, true, .null, .number("1.5"), .number("2e0"), ["a", "b"], [1, 2], [],
            ["a", 1], [true], ["a": 1], [["a"], ["b"]], .int(.max),
        ]
        var count = 0
        func compare<T: JSONReadable & Equatable>(_ type: T.Type) throws {
            for value in values {
                guard let held = T.held(by: value) else { continue }
                #expect(try T(json: value) == held)
                count += 1
            }
        }
        try compare(String.self)
        try compare(Int.self)
        try compare(Bool.self)
        try compare([String].self)
        try compare([Int].self)
        try compare([[String]].self)
        try compare(Level.self)
        #expect(count == 14)
    }
}
