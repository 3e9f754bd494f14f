import Foundation
import TelexFoundation
import TelexRuntime
import Testing

@Suite("Objects of Foundation become JSON")
struct JSONValueFoundationTests {
    @Test("objects of Foundation become JSON unless they contain what JSON does not have")
    func refused() {
        let odd: [Any] = [
            Date(), Data(), Double.infinity, ["a": Double.nan], [1: "a"], [["a": UUID()]],
            NSObject(),
        ]
        for value in odd { #expect(JSONValue(any: value) == nil, "\(value)") }
    }

    @Test("objects of Foundation become JSON with numbers apart from Booleans, and exact integers")
    func values() throws {
        let payload: [AnyHashable: Any] = [
            "aps": ["badge": 3, "sound": "default", "content-available": true],
            "id": Int64.max, "zero": NSNumber(value: 0), "no": NSNumber(value: false),
            "rate": 0.5, "none": NSNull(), "list": [1, "a", [String]()] as [Any],
        ]
        #expect(
            JSONValue(any: payload) == [
                "aps": ["badge": 3, "sound": "default", "content-available": true],
                "id": .int(.max), "zero": 0, "no": false, "rate": 0.5, "none": nil,
                "list": [1, "a", []],
            ])
    }

    @Test("objects of Foundation become JSON even if they are scalars")
    func scalars() {
        #expect(JSONValue(any: "a") == "a")
        #expect(JSONValue(any: 7) == 7)
        #expect(JSONValue(any: false) == false)
        #expect(JSONValue(any: NSNull()) == .null)
    }
}
