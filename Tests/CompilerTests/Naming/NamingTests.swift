import TestSupport
import Testing

@testable import SpecSemantics

@Suite("Swift names are made of the API's names")
struct NamingTests {
    @Test(
        "Swift names of values are in lower camel case",
        arguments: [
            ("user_ids", "userIDs"), ("photo_50", "photo50"), ("HTTPServer", "httpServer"),
            ("URLs", "urls"), ("base_urls", "baseURLs"), ("2fa", "_2fa"), ("user-id", "userID"),
            ("id", "id"), ("ID", "id"), ("userIDs", "userIDs"), ("import", "import"),
            ("größe_max", "größeMax"), ("имя", "имя"), ("X-Rate-Limit", "xRateLimit"),
            ("iPhone", "iPhone"), ("sha256sum", "sha256sum"), ("a", "a"),
            ("__typename", "typename"), ("+1", "plus1"), ("-1", "minus1"), ("a-1", "a1"),
            ("-a", "a"), ("+", nil),
            ("photoMaxURLSize", "photoMaxURLSize"), ("jsonAPI", "jsonAPI"), ("ids", "ids"),
        ])
    func values(text: String, name: String?) {
        #expect(SwiftNamer().lowerCamel(text) == name)
    }

    @Test(
        "Swift names of types are in upper camel case, and stay as they are if they are already",
        arguments: [
            ("user_profile", "UserProfile"), ("UserProfile", "UserProfile"), ("VK", "VK"),
            ("vk", "Vk"), ("http_server", "HTTPServer"), ("2fa", "_2fa"), ("ids", "IDs"),
            ("Größe", "Größe"), ("users.get", "UsersGet"), ("XMLHTTPRequest", "XMLHTTPRequest"),
            ("+1", "Plus1"),
        ])
    func types(text: String, name: String) {
        #expect(SwiftNamer().typeName(text) == name)
    }

    @Test(
        "a text with no letter and no digit has no Swift name",
        arguments: ["", "_", "***", "+", "😀", "\u{301}"])
    func nothing(text: String) {
        #expect(SwiftNamer().lowerCamel(text) == nil)
    }

    @Test("spellings of an API override the built-in ones")
    func spellings() {
        var namer = SwiftNamer()
        namer.add("vk", spelt: "VK")
        namer.add("ip", spelt: "Ip")
        #expect(namer.lowerCamel("user_vk_id") == "userVKID")
        #expect(namer.lowerCamel("vk_id") == "vkID")
        #expect(namer.upperCamel("client_ip") == "ClientIp")
    }

    @Test(
        "a Swift identifier is told from other texts",
        arguments: [
            ("a", true), ("_a1", true), ("имя", true), ("1a", false), ("a b", false),
            ("a-b", false),
            ("", false), ("a·b", false), ("a;import Foundation", false), ("`a`", false),
            ("_", false), ("__", true), ("\u{301}a", false), ("a\u{200B}b", false),
        ])
    func identifiers(text: String, isIdentifier: Bool) {
        #expect(SwiftNamer.isIdentifier(text) == isIdentifier)
    }

    @Test("every derived name is an identifier")
    func soundness() {
        var generator = SeededGenerator(7)
        let scalars =
            (0x20...0x24F).compactMap { Unicode.Scalar($0) } + ["ℵ", "²", "①", "٣", "Ⅷ", "ǅ"]
        for _ in 0..<3000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                text.append(scalars.randomElement(using: &generator) ?? "a")
            }
            for name in [
                SwiftNamer().lowerCamel(String(text)), SwiftNamer().typeName(String(text)),
            ] {
                #expect(
                    name.map(SwiftNamer.isIdentifier) ?? true, "\(String(text).debugDescription)")
            }
        }
    }

    @Test(
        "an element is named after the list in the singular",
        arguments: [
            ("users", "user"), ("cities", "city"), ("boxes", "box"), ("status", "status"),
            ("class", "class"), ("series", "sery"), ("as", "as"), ("matches", "match"),
        ])
    func singulars(word: String, expected: String) {
        #expect(singular(word) == expected)
    }
}
