import HTTPTypes
import TelexJSON
import Testing

@testable import TelexRuntime

@Suite("The redactor")
struct RedactorTests {
    @Test("the redactor recognises a secret in every spelling")
    func spellings() {
        let redactor = Redactor("a/b \"ß\"")
        for text in [
            "a/b \"ß\"", "a%2Fb%20%22%C3%9F%22", "a%2fb+%22%c3%9f%22", #"a\/b \"ß\""#,
            #"\u0061/b\u0020\u0022\u00df\u0022"#, "a%252Fb%2520%2522%25C3%259F%2522",
            Taints.base64("a/b \"ß\""), #"a/b \\\"ß\\\""#, #"a\\\/b \\\"\\u00df\\\""#,
            #"\\u0061/b\\u0020\u005c\"ß\\\u0022"#,
        ] {
            let redacted = redactor.redact("<\(text)>")
            #expect(redacted.hasPrefix("<‹redacted›"), "\(text)")
            #expect(redacted.utf8.count <= "<‹redacted›==>".utf8.count, "\(text)")
        }
    }

    @Test("the redactor recognises a secret beyond the basic plane in nested JSON texts")
    func twice() {
        let redactor = Redactor("k🔑\\\"")
        #expect(redactor.redact(#"<k\\ud83d\\udd11\\\\\\\">"#) == "<‹redacted›>")
        #expect(redactor.redact(#"<k🔑\\\\\\\">"#) == "<‹redacted›>")
        #expect(redactor.redact(#"<k🔑\\"#) == #"<k🔑\\"#)
        #expect(redactor.redact(#"<k\\ud83d\\u"#) == #"<k\\ud83d\\u"#)
    }

    @Test("the redactor recognises a secret that is escaped for XML and HTML, also twice")
    func entities() {
        let redactor = Redactor("p&ss<w0'd>\"ß")
        for text in [
            "p&amp;ss&lt;w0&#39;d&gt;&quot;ß",
            "p&amp;amp;ss&amp;lt;w0&amp;#39;d&amp;gt;&amp;quot;ß",
            #"p\u0026amp;ss\u0026lt;w0\u0026#39;d\u0026gt;\u0026quot;ß"#,
            "p%26amp%3Bss%26lt%3Bw0%26%2339%3Bd%26gt%3B%26quot%3B%C3%9F",
        ] {
            #expect(redactor.redact("<\(text)>") == "<‹redacted›>", "\(text)")
        }
        #expect(redactor.redactCut("x p&amp;ss&l…") == "x ‹redacted›…")
        for text in ["p&amp;ss&lt", "p&ss&gt;w0", "&", "&;", "&#;", "&#xD800;", "&bogus;", "&&&"] {
            #expect(redactor.redact(text) == text)
        }
    }

    @Test("the redactor recognises a secret in base 64 at any offset")
    func alignments() {
        for secret in ["s3cr3t-t0k3n", "?>~?>~?>~", "pässwört", "12345"] {
            let redactor = Redactor(secret)
            for before in ["", "x", "xy", "xyz", "user:"] {
                for after in ["", "!", "!!", "!!!"] {
                    let text = Taints.base64(before + secret + after)
                    for text in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
                        let shown = redactor.redact(text)
                        let parts = shown.split(separator: Redactor.mark)
                        #expect(shown.contains(Redactor.mark), "\(text)")
                        // At most one character on either side may contain bits of both.
                        let first = parts.first.map { shown.hasPrefix($0) ? $0.count : 0 } ?? 0
                        #expect(first <= (before.utf8.count * 8 + 5) / 6, "\(shown)")
                    }
                }
            }
        }
        // Short pieces are not redacted, because they may be anything.
        let inner = Taints.base64("x1234").dropFirst(2).prefix(4)
        #expect(Redactor("1234").redact("<\(inner)>") == "<\(inner)>")
    }

    @Test("the redactor hides a very short secret in what a violation found, not in its path")
    func violations() {
        for secret in ["a", "st", "min"] {
            let violation = Violation(
                path: "a.list[0].b", rule: "min", expected: "at least 3",
                found: "a list of \(secret)"
            ).redacted(Redactor(secret))
            #expect(violation.path == "a.list[0].b")
            #expect(violation.expected == "at least 3")
            #expect(violation.found.hasSuffix("‹redacted›"))
        }
        let long = Violation(path: "users.hunter2.a", rule: "min", expected: "hunter2", found: "1")
            .redacted(Redactor("hunter2"))
        #expect(long.path == "users.‹redacted›.a" && long.expected == "‹redacted›")
    }

    @Test("the redactor leaves everything else unchanged, bytes that are no text included")
    func innocent() {
        let redactor = Redactor("secret")
        for text in ["", "secre", "ecret", "%", "%4", "\\", "\\u00", "s%65cre", "é", "Secret"] {
            #expect(redactor.redact(text) == text)
        }
        #expect(redactor.redact([0xFF, 0x25]) == [0xFF, 0x25])
    }

    @Test("the redactor recognises the rest of a secret that is truncated with the text")
    func cutOff() {
        let token = String(repeating: "0123456789", count: 9)
        let redactor = Redactor(token)
        let found = Violation.bounded("\"\(token)\"")
        #expect(redactor.redact(found).contains("01234567"))
        #expect(redactor.redactCut(found) == "\"‹redacted›…")
        #expect(redactor.redactCut("a 012…") == "a 012…")
        #expect(redactor.redactCut("a 0123") == "a 0123")
        #expect(redactor.redactCut("a \(token)") == "a ‹redacted›")
    }

    @Test("the redactor recognises the rest of a secret that is truncated within an escape")
    func cutInEscape() {
        let redactor = Redactor("abcdefgh/ijkl")
        for end in ["", "%", "%2", "\\", "\\u", "\\u00", "\\\\u002"] {
            #expect(redactor.redactCut("x abcdefgh\(end)…") == "x ‹redacted›…", "\(end)")
        }
        #expect(redactor.redactCut("x abcdefgh%2x…") == "x abcdefgh%2x…")
    }

    @Test("the redactor redacts a text made to cost time, and ends", arguments: [40, 1000])
    func costly(_ count: Int) {
        let redactor = Redactor(String(repeating: "\\", count: count) + "x")
        let text = String(repeating: "\\", count: 20_000)
        #expect(redactor.redact("a" + text).hasSuffix(Redactor.mark))
        #expect(
            Redactor("abab" + secret).redact(String(repeating: "ab", count: 20_000)).utf8.count
                == 40_000)
    }

    @Test("the redactor leaves no end of a secret where two overlap, and nothing of its own mark")
    func overlaps() {
        #expect(Redactor("1234", "4abc").redact("x1234abcx") == "x‹redacted›x")
        #expect(Redactor("e", "d", "a", "‹").redact("zedz") == "z‹redacted›z")
        #expect(Redactor("ab").redact("abab") == "‹redacted›")
    }

    @Test("a redactor knows a header field's password, and cookie values, unless they are short")
    func headers() {
        var redactor = Redactor()
        redactor.add(header: "Basic \(Taints.base64("ann:p4ssw0rd"))")
        redactor.add(header: "sid=c00kie; theme=a")
        #expect(
            redactor.redact("p4ssw0rd ann:p4ssw0rd c00kie a")
                == "‹redacted› ‹redacted› ‹redacted› a")
    }

    @Test(
        "the redactor recognises secrets in a header field by its name, in any context",
        arguments: [
            ("Bearer t0ken", "t0ken"), ("Key a2V5LWJ5dGU=", "a2V5LWJ5dGU"),
            ("Token token=\"t0ken\", nonce=\"a\"", "t0ken"), ("a=b; sid=\"c00kie\"", "c00kie"),
            ("Basic c2tfbGl2ZV8xOg==", "sk_live_1"), ("basic  YW5uOnA0c3M=", "p4ss"),
            ("ApiKey aWQ6azN5", "id:k3y"), ("MAC id=1 mac=m4cm4cm4c", "m4cm4cm4c"),
        ])
    func headerSecrets(value: String, secret: String) {
        var redactor = Redactor()
        redactor.add(header: value)
        #expect(redactor.redact("<\(secret)>") == "<‹redacted›>")
    }

    @Test("a redactor knows as many cookies as a reply may set, and shows nothing if more come")
    func manyCookies() {
        func redactor(_ cookies: [String]) -> Redactor {
            var reply = HTTPResponse(status: .ok)
            for cookie in cookies {
                reply.headerFields.append(HTTPField(name: .setCookie, value: cookie))
            }
            var redactor = Redactor()
            redactor.add(cookiesOf: reply)
            return redactor
        }
        let cookies = (0..<1_000).map { "c\($0)=value-\($0); HttpOnly" }
        let text = "of value-0, and value-63, and more"
        #expect(
            redactor(Array(cookies.prefix(64))).redact(text)
                == "of ‹redacted›, and ‹redacted›, and more")
        let one = [cookies.map { $0.prefix { $0 != ";" } }.joined(separator: ",")]
        for redactor in [redactor(Array(cookies.prefix(65))), redactor(cookies), redactor(one)] {
            #expect(redactor.redact(text) == Redactor.mark && redactor.redact("") == "")
            #expect(redactor.withoutShortSecrets.redact("value-999") == Redactor.mark)
            #expect(redactor.redactCut("value-99…") == "\(Redactor.mark)…")
        }
    }

    @Test("the redactor leaves schemes, names and short words of a header field unchanged")
    func headerWords() {
        var redactor = Redactor()
        redactor.add(header: "Signature key_number=k3yk3y, this and that")
        redactor.add(header: "session_name=abc; theme=a")
        let text = "Signature key_number this and that session_name theme abc"
        #expect(redactor.redact(text) == text)
    }

    @Test("the redactor takes linear time for a text that resembles a secret")
    func hostile() {
        let redactor = Redactor(String(repeating: "%", count: 50) + "x")
        let text = String(repeating: "%25", count: 500)
        #expect(redactor.redact(text) == text)
    }

    @Test("the redactor redacts completely what begins before the end of the shown part")
    func limit() {
        let redacted = Redactor("secret").redact(Array("abcsecretdef".utf8), upTo: 5)
        #expect(String(decoding: redacted, as: UTF8.self) == "abc‹redacted›")
    }
}
