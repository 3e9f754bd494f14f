import Foundation
import SpecIR
import Testing

/// A rule is one row of the table. Its page and its check at run time are elsewhere.
@Suite("Every rule of the table")
struct RuleTableTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
    }

    /// The sources of `RuleChecker` and its extensions.
    private static func checker() throws -> String {
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        return try files.compactMap { $0 as? String }
            .filter { $0.contains("/RuleChecker") && $0.hasSuffix(".swift") }
            .map(text).joined()
    }

    @Test("every rule of the table is on the page about rules, with its synonyms")
    func page() throws {
        let page = try Self.text("TelexCompiler/TelexCompiler.docc/Rules.md")
        for rule in RuleName.allCases where RuleName.keys.contains(rule.rawValue) {
            for name in [rule.rawValue] + rule.row.synonyms {
                #expect(page.contains("`\(name)`"), "\(name)")
            }
        }
    }

    @Test("every rule of the table has a method of `RuleChecker` that reports it")
    func check() throws {
        let checker = try Self.checker()
        for rule in RuleName.allCases {
            let call = rule.row.call
            #expect(
                checker.contains("func \(call)(") || checker.contains("func \(call)<"), "\(call)")
            // A violation of the app's own rule has the name that the spec gives it.
            #expect(
                rule == .own || checker.contains("\"\(rule.rawValue)\""), "\(rule.rawValue)")
        }
    }
}
