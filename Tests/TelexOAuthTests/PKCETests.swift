import Testing

@testable import TelexOAuth

@Suite("PKCE")
struct PKCETests {
    @Test("PKCE matches RFC 7636, appendix B")
    func vector() {
        let proof = PKCE([
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212,
            37, 77, 105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
        ])
        #expect(proof.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(proof.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("PKCE uses new random bytes each time")
    func random() {
        let all = Set((0..<100).map { _ in SecureBytes.random() })
        #expect(all.count == 100)
        #expect(all.allSatisfy { $0.count == 32 })
    }

    @Test(
        "PKCE is encoded in base 64 as in RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(text: String, expected: String) {
        #expect(Base64.standard(text.utf8) == expected)
        #expect(Base64.url(text.utf8) == expected.replacing("=", with: ""))
    }

    @Test("PKCE is encoded for URLs")
    func alphabet() {
        #expect(Base64.standard([0xFB, 0xFF, 0xBF]) == "+/+/")
        #expect(Base64.url([0xFB, 0xFF, 0xBF]) == "-_-_")
    }

    @Test("PKCE and other secrets are compared in constant time")
    func comparison() {
        #expect("".isEqualInConstantTime(to: ""))
        #expect("abc".isEqualInConstantTime(to: "abc"))
        for other in ["", "ab", "abd", "xbc", "abcd", "ABC"] {
            #expect(!"abc".isEqualInConstantTime(to: other))
        }
    }
}
