import Foundation
import TestSupport
import Testing

@testable import SpecSemantics

@Suite("Patterns become programs for the runtime's matcher")
struct PatternTests {
    @Test(
        "each form of a pattern has its instructions",
        arguments: [
            ("", "m"), ("a", "c61 m"), ("ab", "c61 c62 m"), ("^a$", "^ c61 $ m"),
            ("a*", "s1,3 c61 j0 m"), ("a+", "c61 s2,4 c61 j1 m"), ("a?", "s1,2 c61 m"),
            ("a{2}", "c61 c61 m"), ("a{1,2}", "c61 s2,3 c61 m"), ("a{2,}", "c61 c61 s3,5 c61 j2 m"),
            ("a{0}", "m"), ("a|b", "s1,3 c61 j4 c62 m"), ("a|b|c", "s1,3 c61 j7 s4,6 c62 j7 c63 m"),
            ("(ab)?", "s1,3 c61 c62 m"), ("(?:a)", "c61 m"), ("()", "m"), ("|a", "s1,2 j3 c61 m"),
            (".", "na,d m"), ("[a-z_]", "c61-7a,5f m"), ("[^a]", "n61 m"), ("[a-]", "c61,2d m"),
            ("[-a]", "c2d,61 m"), ("\\d", "c30-39 m"), ("\\D", "n30-39 m"),
            ("[\\d.]", "c30-39,2e m"),
            ("\\w\\s", "c30-39,41-5a,5f,61-7a c9-d,20 m"), ("\\.", "c2e m"),
            ("\\n\\t\\r", "ca c9 cd m"),
            ("ü", "cfc m"), ("[а-я]", "c430-44f m"), ("😀", "c1f600 m"),
            ("[^\\D]", "n0-2f,3a-10ffff m"), ("a]", "c61 c5d m"), ("a}", "c61 c7d m"),
        ])
    func programs(source: String, program: String) throws {
        #expect(try PatternCompiler.compile(source) == program)
    }

    @Test(
        "unsupported syntax is reported at its scalar",
        arguments: [
            ("(", 0), ("a)", 1), ("[a", 0), ("ü[", 1), ("[]", 0), ("*a", 0), ("a**", 2), ("a+?", 2),
            ("a{2", 1), ("a{,2}", 1), ("a{2,1}", 1), ("a{1001}", 1), ("a{x}", 1), ("\\", 0),
            ("a\\b", 1), ("\\p{L}", 0), ("(?=a)", 1), ("(?i)a", 1), ("(?<n>a)", 1), ("\\1", 0),
            ("^*", 0), ("a$+", 1), ("[z-a]", 1), ("[a[b]", 2), ("{", 0), ("é😀(", 2),
            ("a{99999999999999999999}", 1),
        ])
    func problems(source: String, offset: Int) {
        #expect(throws: PatternCompiler.Problem.self) { try PatternCompiler.compile(source) }
        do throws(PatternCompiler.Problem) {
            _ = try PatternCompiler.compile(source)
        } catch {
            #expect(error.offset == offset, "\(error.message)")
            #expect(!error.message.isEmpty)
        }
    }

    @Test(
        "a pattern with exponential growth is rejected quickly",
        arguments: [
            "(((){1000}){1000}){1000}", "(((a){1000}){1000}){1000}", "((a{1000}){1000}){1000}",
            "((((a?){9}){99}){999}){999}", String(repeating: "(", count: 100_000),
            String(repeating: "a|", count: 20_000), String(repeating: "a{1000}", count: 1000),
            String(repeating: "(a|b)*", count: 5000),
            "(" + String(repeating: "|", count: 90_000) + ")",
            "[" + String(repeating: "a", count: 1_000_000) + "]{1000}",
        ])
    func bombs(source: String) {
        let begin = computingTime
        #expect(throws: PatternCompiler.Problem.self) { try PatternCompiler.compile(source) }
        #expect(computingTime - begin < .seconds(5))
    }

    /// The CPU time of this thread.
    private var computingTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test("random patterns never trap, and what compiles names only instructions that exist")
    func random() {
        var generator = SeededGenerator(11)
        let pieces = [
            "a", "(", ")", "[", "]", "*", "+", "?", "{2}", "{1,}", "|", "^", "$", "\\", "d", "-",
            "ü",
        ]
        for _ in 0..<5000 {
            let count = Int.random(in: 0...12, using: &generator)
            let source = (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }
            guard let program = try? PatternCompiler.compile(source.joined()) else { continue }
            let tokens = program.split(separator: " ")
            #expect(tokens.last == "m")
            for token in tokens where token.hasPrefix("j") || token.hasPrefix("s") {
                let targets = token.dropFirst().split(separator: ",").compactMap { Int($0) }
                #expect(targets.allSatisfy { $0 < tokens.count }, "\(source.joined())")
            }
        }
    }

    @Test("an error is underlined with and without quotes, after multi-byte characters")
    func places() {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: User } }
                models:
                  User:
                    größe: { type: string, pattern: äöü(ß }
                    maß: { type: string, pattern: 'äöü[ß' }
                    weg: { type: string, pattern: "\\\\d\\\\é" }
                """)
        #expect(analysis.marks == ["T0404: (", "T0404: [", "T0404: \"\\\\d\\\\é\""])
    }
}
