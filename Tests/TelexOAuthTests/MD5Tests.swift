import Testing

@testable import TelexOAuth

@Suite("MD5")
struct MD5Tests {
    @Test(
        "MD5 has the values of RFC 1321, appendix A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                String(repeating: "1234567890", count: 8),
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func vectors(text: String, expected: String) {
        #expect(hexadecimal(text) == expected)
    }

    @Test(
        "MD5 fills blocks of every length around their ends",
        arguments: [
            (55, "04364420e25c512fd958a70738aa8f72"),
            (56, "668a72d5ba17f08e62dabcafad6db14b"),
            (63, "7dc2ca208106a2f703567bdff99d8981"),
            (64, "c1bb4f81d892b2d57947682aeb252456"),
            (119, "ab347a5f68c8a443cfcddc633f12c24f"),
            (120, "fb98667f98096de92620b64f46e1c5b5"),
        ])
    func lengths(count: Int, expected: String) {
        #expect(hexadecimal(String(repeating: "x", count: count)) == expected)
    }

    private func hexadecimal(_ text: String) -> String {
        MD5.digest(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
