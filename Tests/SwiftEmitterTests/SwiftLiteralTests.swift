import Testing

@testable import SwiftEmitter

/// Literals, comments and names are escaped correctly.
@Suite("Swift literals")
struct SwiftLiteralTests {
    /// Texts of hostile fragments and random scalars, equal in every run.
    private static let texts: [String] = {
        var random = SplitMix(state: 20_26)
        let pieces =
            HostileTexts.all + ["\"", "\\", "\n", "\r", "//", "`", "$", "\u{301}", " ", "a"]
        return HostileTexts.all
            + (0..<2000).map { _ in
                (0..<Int.random(in: 0...9, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? pieces[Int.random(in: 0..<pieces.count, using: &random)]
                        : random.scalar()
                }.joined()
            }
    }()

    @Test("A literal is one token with the text as its value")
    func literals() {
        for text in Self.texts {
            let tokens = Lexer.tokens("f(" + SwiftLiteral.string(text) + ", x)")
            let expected: [Lexer.Token] = [
                .word("f"), .mark("("), .string(text), .mark(","), .word("x"), .mark(")"),
            ]
            #expect(tokens == expected, "\(text.debugDescription)")
        }
    }

    @Test(
        "A code span ends correctly, whatever backticks it contains",
        arguments: [
            ("a b", "`a b`"), ("a`b", "`` a`b ``"), ("```", "```` ``` ````"), ("a\nb", "`a b`"),
        ])
    func code(text: String, code: String) {
        #expect(Markup.code(text) == code)
    }

    @Test("A multi-line literal keeps its value at any width")
    func spreadLiterals() {
        for text in Self.texts where text.unicodeScalars.count > 1 {
            var writer = SwiftWriter()
            writer.indented { writer in
                writer.line(
                    "call(\(SwiftLiteral.string(text)), [\(SwiftLiteral.string(text)): \(SwiftLiteral.string(text))])"
                )
            }
            let strings = Lexer.tokens(writer.text)?.filter {
                if case .string = $0 { true } else { false }
            }
            #expect(
                strings == Array(repeating: .string(text), count: 3), "\(text.debugDescription)")
        }
    }

    @Test("No text ends a comment")
    func comments() {
        for text in Self.texts {
            var writer = SwiftWriter()
            var comment = DocComment()
            comment.paragraph(text)
            comment.item("Item", text: text)
            comment.write(to: &writer)
            let lines = writer.text.split { $0.isNewline }
            #expect(lines.allSatisfy { $0.hasPrefix("///") }, "\(text.debugDescription)")
            let tokens = Lexer.tokens(writer.text) ?? []
            #expect(tokens.count == lines.count, "\(text.debugDescription)")
        }
    }

    private func comment(_ text: String) -> [String] {
        var writer = SwiftWriter()
        var comment = DocComment()
        comment.paragraph(text)
        comment.write(to: &writer)
        return writer.text.split(separator: "\n").map { String($0.dropFirst(4)) }
    }

    @Test(
        "A word that is wrapped to the start of a line has no meaning there",
        arguments: [
            ("- Parameter id: x", "\\- Parameter id: x"), ("- item", "\\- item"),
            ("# Head", "\\# Head"), ("> quote", "\\> quote"), ("1. one", "1\\. one"),
            ("12) one", "12\\) one"), ("1.5 s", "1.5 s"), ("```", "\\```"), ("word", "word"),
        ])
    func wrapped(beginning: String, line: String) {
        let filler = String(repeating: "a", count: 95)
        #expect(comment("\(filler) \(beginning)") == [filler, line])
    }

    @Test("Lists are kept, and fields of Swift's markup are escaped")
    func fields() {
        #expect(comment("- See https://a.example") == ["- See https://a.example"])
        #expect(comment("- one: two") == ["- one: two"])
        #expect(comment("- Parameter id: x") == ["\\- Parameter id: x"])
        #expect(comment(" *  returns: x") == ["\\*  returns: x"])
    }

    @Test("Code is unchanged, and ends with its paragraph")
    func code() {
        #expect(
            comment("```\n- Returns:  x\n```\n- Returns: x").dropFirst() == [
                "- Returns:  x", "```", "\\- Returns: x",
            ])
        #expect(comment("~~~\ncode\n~~~") == ["~~~", "code", "~~~"])
        #expect(comment("```\ncode") == ["```", "code", "```"])
    }

    @Test("A comment contains no invisible characters but joiners")
    func commentsShowAll() {
        for text in Self.texts {
            for line in SwiftLiteral.commentLines(text) {
                let hidden = line.unicodeScalars.filter {
                    let category = $0.properties.generalCategory
                    return category == .control || category == .format
                }
                #expect(hidden.allSatisfy { $0 == "\u{200C}" || $0 == "\u{200D}" })
            }
        }
    }

    @Test(
        "Keywords get backticks where they need them",
        arguments: [
            ("class", "`class`", "class"), ("self", "`self`", "`self`"),
            ("init", "`init`", "`init`"),
            ("await", "`await`", "await"), ("async", "async", "async"), ("name", "name", "name"),
        ])
    func names(name: String, identifier: String, member: String) {
        #expect(SwiftLiteral.identifier(name) == identifier)
        #expect(SwiftLiteral.member(name) == member)
    }

    @Test(
        "Local names avoid those of their scope, and each other",
        arguments: [("json", "json_"), ("json_", "json__"), ("jsons", "jsons"), ("in", "`in`")])
    func locals(name: String, local: String) {
        #expect(SwiftLiteral.local(name, besides: ["json"]) == local)
    }

    @Test(
        "Digits are grouped from five on",
        arguments: [("1234", "1234"), ("12345", "12_345"), ("-1234567", "-1_234_567"), ("0", "0")])
    func integers(digits: String, literal: String) {
        #expect(SwiftLiteral.integer(digits) == literal)
    }
}

/// A generator of the same numbers in every run (Steele, Lea and Flood, 2014).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Any scalar, half of them from the first planes' edges.
    mutating func scalar() -> String {
        let limit: UInt32 = Bool.random(using: &self) ? 0x300 : 0x11_0000
        return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &self)).map { String($0) } ?? ""
    }
}
