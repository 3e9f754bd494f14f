import Foundation
import ProcessSupport
import SpecSemantics
import SpecTemplateRules
import TestSupport
import Testing

/// Compares the check of compiled types with the check of the template that they were derived from.
@Suite("Types derived from templates")
struct TemplateAgreementTests {
    private static let templateCount = 250
    private static let replyCount = 24

    /// A template, with its types in one spec of all.
    private struct Case {
        let text: String
        let reply: String
        let sample: GeneratedTemplate
        let compatibility: TemplateCompatibility
    }

    @Test(
        "derived types refuse what the template refuses, at the same paths by the same rules",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"))
    func verdicts() async throws {
        var random = SeededGenerator(41)
        var cases: [Case] = []
        var taken: Set<String> = []
        var models = ""
        while cases.count < Self.templateCount {
            let hostile = cases.count % 3 == 0
            let sample = GeneratedTemplate.object(3, hostile, &random)
            let compatibility: TemplateCompatibility =
                cases.count % 5 == 0 ? .original : .documented
            let node = try TemplateParser.parse(Array(sample.template.utf8))
            let reading = TemplateReading(node, compatibility: compatibility)
            guard reading.isValid, !sample.template.contains("$token") else { continue }
            let types = TypeInference.types(
                of: reading.shape, named: "m\(cases.count)", taken: taken)
            let names = types.models.matches(of: #/(?m)^  "?(\w+)"?:/#).map { String($0.output.1) }
            taken.formUnion(names)
            models += types.models
            cases.append(
                Case(
                    text: sample.template, reply: types.reply, sample: sample,
                    compatibility: compatibility))
        }
        let documents = cases.indices.flatMap { index in
            (0..<Self.replyCount).map { _ in
                "\(index)\t\(cases[index].sample.reply(using: &random))"
            }
        }
        let lines = try await verdicts(cases, models, documents)
        try #require(lines.count == documents.count)
        var refused = 0
        for (document, line) in zip(documents, lines) {
            let verdicts = line.split(separator: "\t", omittingEmptySubsequences: false)
            if verdicts[0] != verdicts[1] {
                let sample = cases[Int(document.prefix { $0 != "\t" }) ?? 0]
                Issue.record(
                    """
                    \(document.prefix(1000))
                    the template: \(verdicts[0])
                    the types:    \(verdicts[1])
                    \(sample.text.prefix(1000))
                    """)
            }
            if !verdicts[0].isEmpty { refused += 1 }
        }
        // Both verdicts are common, or the comparison says little.
        #expect(
            refused > documents.count / 5 && refused < documents.count * 4 / 5,
            "\(refused) of \(documents.count)")
    }

    /// The verdicts of one program, for each reply those of the template and of the types.
    private func verdicts(
        _ cases: [Case], _ models: String, _ documents: [String]
    ) async throws -> [Substring] {
        let methods = cases.enumerated().map { index, item in
            "  m\(index):\n    get: m\(index)\n    returns: \(item.reply)\n"
        }
        let spec = TestSpec(files: [
            "api.yaml":
                "telex: 1\napi: Things\nservers: { main: https://a.example/ }\n"
                + "generate: [requests]\n",
            "things.yaml": "methods:\n\(methods.joined())models:\n\(models)",
        ])
        var files = try spec.emitted()
        files["main.swift"] = Self.program(cases)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let templates = folder.appendingPathComponent("templates").path
        try cases.map(\.text).joined(separator: "\n")
            .write(toFile: templates, atomically: true, encoding: .utf8)
        let replies = folder.appendingPathComponent("replies").path
        try documents.joined(separator: "\n")
            .write(toFile: replies, atomically: true, encoding: .utf8)
        let report = try await SwiftToolchain.run(files, [templates, replies])
        try #require(report.isSuccess, "\(report.text.prefix(4000))")
        return report.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    private static func program(_ cases: [Case]) -> String {
        let methods = cases.enumerated().map { index, item in
            "    (.thingsM\(index), .\(item.compatibility)),"
        }
        return #"""
            import Foundation
            import TelexJSON
            import TelexRuntime
            import TelexTemplates

            func verdict(_ report: ValidationReport) -> String {
                report.violations.map { "\($0.path) \($0.rule)" }.sorted().joined(separator: ", ")
                    .replacingOccurrences(of: "\n", with: "\\n")
                    .replacingOccurrences(of: "\t", with: "\\t")
            }

            let methods: [(Things.APIMethod, TemplateCompatibility)] = [
            \#(methods.joined(separator: "\n"))
            ]
            func lines(_ index: Int) throws -> [[UInt8]] {
                Array(try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[index])))
                    .split(separator: 0x0A).map { Array($0) }
            }
            let templates = try zip(try lines(1), methods).map {
                try Template(parsing: $0, compatibility: $1.1)
            }
            for line in try lines(2) {
                let parts = line.split(separator: 0x09, maxSplits: 1).map { Array($0) }
                let index = Int(String(decoding: parts[0], as: UTF8.self)) ?? 0
                let interpreted = templates[index].validate(parts[1])
                let compiled = Things.validate(parts[1], from: methods[index].0)
                print(verdict(interpreted), verdict(compiled), separator: "\t")
            }
            """#
    }
}
