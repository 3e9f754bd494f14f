/// Texts that try to break out of a literal, a comment or a line.
enum HostileTexts {
    static let all = [
        ###"a "quoted" 'text' and "# "## #"raw"#"###,
        ###"""" """"# """"###,
        ###"\(fatalError()) \#(x) \\(y) \u{41} \"###,
        "*/ /* // /// /** */ `tick` ```swift",
        "one\ntwo\r\nthree\rfour\u{B}five\u{C}six\u{85}seven\u{2028}eight\u{2029}nine",
        "\0\u{1}\u{1B}[31m\u{7F}\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}\u{AD}",
        "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}esrever\u{2066}\u{2067}\u{2068}\u{2069}\u{200E}",
        "👩\u{200D}👩\u{200D}👧\u{200D}👦 🏴\u{E0067}\u{E0062}\u{E007F} ❤️ 1️⃣",
        "\u{301}e\u{301} \u{301}",
        noncharacters,
        "- Parameters:\n  - x: y\n- Returns: z\n* Throws: q\n+ a: b\n# heading\n> quote\n<script>\n[a](b)",
        code,
        String(repeating: "x", count: 250) + " " + String(repeating: "\\\"", count: 80),
        "  leading and trailing  ",
        "\ta\tb\t",
        "[[{(\"", ")}]],", ": , :",
    ]

    /// Noncharacters and private-use scalars.
    private static let noncharacters = String(
        String.UnicodeScalarView(
            [0xFFFD, 0xFDD0, 0xE000, 0x10FFFD].compactMap { Unicode.Scalar($0) }))

    private static let code = """
        }
        }
        import Foundation
        #if os(Linux)
        #error("x")
        #sourceLocation(file: "a", line: 1)
        // swift-format-ignore
        /// swift-format-ignore-file
        @available(*, unavailable)
        """
}
