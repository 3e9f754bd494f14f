import Foundation
import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime

@Suite("Bytes as text")
struct BytesFormTests {
    private func read(_ text: String, _ form: BytesForm) -> (value: Data?, problems: [String]) {
        let result = JSONReader.read(Array("\"\(text)\"".utf8)) { json -> Data? in
            var value: Data?
            json.bytes(&value, as: form)
            return value
        }
        return (result.value, result.report.violations.map(\.expected))
    }

    private func written(_ bytes: [UInt8], _ form: BytesForm) -> String? {
        var json = JSONWriter()
        json.value(Data(bytes), as: form)
        return JSONReader.value(at: [], in: json.bytes)?.asString
    }

    @Test(
        "bytes as text are the same when they are read back",
        arguments: [
            ([], "", "", ""), ([0], "AA==", "AA", "00"), ([255, 254], "//4=", "__4", "fffe"),
            ([251, 239, 190], "++++", "----", "fbefbe"),
            (Array(0...31), nil, nil, nil),
        ] as [([UInt8], String?, String?, String?)])
    func both(bytes: [UInt8], base64: String?, base64url: String?, hex: String?) throws {
        let texts = [(BytesForm.base64, base64), (.base64url, base64url), (.hex, hex)]
        for (form, expected) in texts {
            let text = try #require(written(bytes, form))
            #expect(expected == nil || text == expected)
            #expect(read(text, form).value == Data(bytes))
            #expect(ParameterText.bytes(Data(bytes), as: form) == text)
        }
    }

    @Test("base64 for URLs may have padding, and hexadecimal digits may be capital letters")
    func lenient() {
        #expect(read("__4=", .base64url).value == Data([255, 254]))
        #expect(read("AA==", .base64url).value == Data([0]))
        #expect(read("00FFaB", .hex).value == Data([0, 255, 171]))
    }

    @Test(
        "bytes as text in another form are a violation",
        arguments: [
            (BytesForm.base64, "AA"), (.base64, "__4="), (.base64url, "//4"), (.base64url, "A"),
            (.base64url, "AA="), (.base64url, "AA==="), (.base64url, "A=A="), (.base64url, "===="),
            (.base64url, "A A"), (.base64url, "é"), (.hex, "0"), (.hex, "0x"), (.hex, "0g"),
            (.hex, "٠٠"), (.hex, " 00"), (.hex, "+1"),
        ])
    func refused(form: BytesForm, text: String) {
        let (value, problems) = read(text, form)
        #expect(value == nil && problems == [form.expectation])
    }
}
