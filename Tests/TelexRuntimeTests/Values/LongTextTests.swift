import TelexTesting
import Testing

@testable import TelexInspection
@testable import TelexRuntime

@Suite("A text of a server that is expensive to search")
struct LongTextTests {
    /// The cost of a search for a secret in a text.
    private func search(_ text: String) -> SecretSearch {
        var matcher = SecretMatcher()
        matcher.add(secret)
        var search = SecretSearch(Array(text.utf8), isCut: false)
        #expect(matcher.ranges(with: &search).isEmpty)
        return search
    }

    @Test(
        "a text expensive to search charges the cost of its escapes, and little is read of each",
        arguments: ["\\", "\\u", "\\\\u005c", "\\u005c\\u0075", "\\n", "\\\\u00e9"])
    func paid(unit: String) {
        let text = String(repeating: unit, count: 20_000)
        let escapes = text.utf8.count { $0 == UInt8(ascii: "\\") }
        let spent = search(text).spent
        #expect(spent >= escapes)
        #expect(spent <= text.utf8.count * 20)
    }

    @Test(
        "a text of a server that is expensive to search leaves nothing of the passed positions",
        arguments: ["\\", "\\\\n"])
    func forgotten(unit: String) {
        #expect(search(String(repeating: unit, count: 20_000)).remembered == 0)
    }

    private func error(saying words: String) -> APIError {
        var error = APIError(method: "users.get", phase: .status, reason: .refused)
        (error.message, error.code, error.requestID) = (words, words, words)
        error.redact(Redactor(secret))
        return error
    }

    private func expect(_ error: APIError, _ shown: String) {
        #expect(error.message == shown)
        #expect(error.code == shown)
        #expect(error.requestID == shown)
    }

    @Test("a text expensive to search is kept up to the display limit, in whole characters")
    func bounded() {
        let limit = Redactor.longestText
        let short = String(repeating: "a", count: limit)
        expect(error(saying: short), short)
        expect(error(saying: short + "b"), short + "…")
        let odd = "a" + String(repeating: "ß", count: limit)
        let shown = "a" + String(repeating: "ß", count: (limit - 1) / 2) + "…"
        expect(error(saying: odd), shown)
    }

    @Test("a text expensive to search shows nothing of a secret at the truncation")
    func cutInSecret() {
        for before in Redactor.longestText - secret.utf8.count - 1...Redactor.longestText + 1 {
            for spelled in [secret, secret.replacing("3", with: "\\\\u0033")] {
                let beginning = String(repeating: "a", count: before)
                let rest = String(repeating: "z", count: 9_000)
                let shown = error(saying: beginning + spelled + rest).message ?? ""
                #expect(shown.contains(Redactor.mark) == (before < Redactor.longestText))
                #expect(!shown.contains("s"))
            }
        }
    }

    @Test("a text of a server shows nothing of a long secret that ends far behind the truncation")
    func longSecret() {
        let token = "s" + String(repeating: "3", count: 100_000)
        let words = String(repeating: "a", count: 4_000) + token
        let shown = Redactor(token).redact(beginningOf: words)
        #expect(shown == String(repeating: "a", count: 4_000) + Redactor.mark + "…")
    }
}
