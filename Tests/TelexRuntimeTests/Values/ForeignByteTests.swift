import Foundation
import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime

/// Libraries of the system stop at a NUL, and some skip what they do not know.
@Suite("A text with a byte that does not belong there")
struct ForeignByteTests {
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// Reads a JSON text; nil if it is refused.
        fileprivate let read: @Sendable (inout JSONReader) -> AnyHashable?

        fileprivate init<T: Hashable & SendableMetatype>(
            _ name: String, _ text: String,
            _ read: @escaping @Sendable (inout JSONReader, inout T?) -> Bool
        ) {
            (testDescription, self.text) = (name, text)
            self.read = { json in
                var value: T?
                return read(&json, &value) ? value.map(AnyHashable.init) : nil
            }
        }
    }

    private static let forms: [Form] =
        [
            Form("uuid", "123e4567-e89b-42d3-a456-426614174000") { $0.uuid(&$1) },
            Form("base64", "AAEC/w==") { $0.bytes(&$1) },
            Form("whole base64", "AAEC") { $0.bytes(&$1) },
            Form("base64url", "AAEC_w") { $0.bytes(&$1, as: .base64url) },
            Form("hex", "0001ff") { $0.bytes(&$1, as: .hex) },
            Form("decimal", "12.5") { $0.decimal(&$1, from: .string) },
            Form("double", "12.5") { (json, value: inout Double?) in
                json.double(&value, from: .string)
            },
            Form("int", "125") { (json, value: inout Int?) in json.int(&value, from: .string) },
            Form("clock", "01:02:03.5") { $0.duration(&$1, in: .clock) },
            Form("iso8601", "PT1H30M") { $0.duration(&$1, in: .iso8601) },
        ]
        + [
            (DateForm.dateTime, "2024-05-31T20:15:00Z"), (.localDateTime(), "2024-05-31T20:15:00"),
            (.date, "2024-05-31"), (.unixText, "1717186500"),
            (.unixMillisecondsText, "1717186500000"),
            (.pattern("dd.MM.yyyy HH:mm"), "31.05.2024 20:15"),
        ].map { (form: DateForm, text: String) in
            Form("\(form)", text) { $0.date(&$1, form) }
        }

    private static let foreign = ["\0", "\0x", " ", "\n", "\t", "=", "x", "\u{FEFF}", "\u{0661}"]

    private func value(_ text: String, _ form: Form) -> AnyHashable? {
        var json = JSONWriter()
        json.value(text)
        let result = JSONReader.read(json.bytes) { form.read(&$0) }
        #expect(result.value != nil || !result.report.violations.isEmpty)
        return result.value
    }

    @Test(
        "a text with a byte that does not belong there is never read as the value without it",
        arguments: forms)
    func ignored(form: Form) throws {
        let right = try #require(value(form.text, form))
        for byte in Self.foreign {
            for place in 0...form.text.utf8.count {
                let index = form.text.utf8.index(form.text.startIndex, offsetBy: place)
                let text = form.text[..<index] + byte + form.text[index...]
                #expect(value(String(text), form) != right, "\(text.debugDescription)")
            }
        }
    }
}
