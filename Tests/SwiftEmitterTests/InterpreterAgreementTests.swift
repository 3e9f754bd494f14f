import Foundation
import GalleryClient
import KintoClient
import ProcessSupport
import SpecIR
import SpecInterpreter
import TelexCompiler
import TelexJSON
import TelexRuntime
import TestSupport
import Testing
import TrackerClient
import VKClient

/// Compares the checks of generated code with those that `SpecInterpreter` makes of the same spec.
@Suite("The interpreter of specs")
struct InterpreterAgreementTests {
    /// A client that was compiled with the package.
    struct Client: Sendable, CustomTestStringConvertible {
        let folder: String
        let validate: @Sendable ([UInt8], String) -> ValidationReport?

        var testDescription: String { folder }
    }

    static let clients = [
        Client(folder: "vk") { reply, name in
            VK.APIMethod(rawValue: name).map { VK.validate(reply, from: $0) }
        },
        Client(folder: "gallery") { reply, name in
            Gallery.APIMethod(rawValue: name).map { Gallery.validate(reply, from: $0) }
        },
        Client(folder: "kinto") { reply, name in
            Kinto.APIMethod(rawValue: name).map { Kinto.validate(reply, from: $0) }
        },
        Client(folder: "tracker") { reply, name in
            Tracker.APIMethod(rawValue: name).map { Tracker.validate(reply, from: $0) }
        },
    ]

    @Test(
        "the committed clients find the same violations as the interpreter of their specs",
        arguments: clients)
    func committedClients(_ client: Client) throws {
        let api = try #require(try TestSpec(committed: client.folder).checked().api)
        let interpreter = SpecInterpreter(api)
        let generator = GeneratedReply(api)
        var random = SeededGenerator(7)
        var invalid = 0
        var count = 0
        for method in api.groups.flatMap(\.methods) {
            for _ in 0..<60 {
                let text = generator.text(of: method, using: &random)
                let bytes = Array(text.utf8)
                let compiled = try #require(client.validate(bytes, method.apiName))
                let interpreted = interpreter.check(bytes, of: method.apiName).validation
                expect(interpreted, compiled.description, method.apiName, text)
                count += 1
                if !compiled.isValid { invalid += 1 }
            }
        }
        #expect(invalid > count / 10 && invalid < count, "\(invalid) of \(count)")
    }

    private func expect(
        _ interpreted: ValidationReport, _ compiled: String, _ method: String, _ text: String
    ) {
        guard interpreted.description != compiled else { return }
        Issue.record(
            """
            \(method): \(text.prefix(2000))
            compiled:
            \(compiled.prefix(2000))
            interpreted:
            \(interpreted.description.prefix(2000))
            """)
    }

    private static let specs: [(name: String, spec: TestSpec)] = [
        ("everything", EverythingSpec.spec), ("rules", RulesSpec.spec),
        ("unions", UnionsSpec.spec),
    ]

    @Test(
        "freshly generated clients find the same violations as the interpreter of their specs",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"),
        arguments: specs.map(\.name) + ["documents"])
    func generatedClients(_ name: String) async throws {
        var spec = try Self.specs.first { $0.name == name }?.spec ?? TestSpec(committed: name)
        let main = try #require(spec.files["api.yaml"])
        if !main.contains("\ngenerate:") { spec.files["api.yaml"] = main + "\ngenerate: [requests]\n" }
        let api = try #require(spec.checked().api)
        let interpreter = SpecInterpreter(api)
        let generator = GeneratedReply(api)
        var random = SeededGenerator(11)
        let replies = api.groups.flatMap(\.methods).flatMap { method in
            (0..<80).map { _ in
                (method: method.apiName, text: generator.text(of: method, using: &random))
            }
        }
        var files = try spec.emitted()
        files["main.swift"] = Self.program(api.name)
        let input = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-replies-\(UUID().uuidString)")
        try replies.map { "\($0.method)\t\($0.text)" }.joined(separator: "\n")
            .write(to: input, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: input) }
        let output = try await SwiftToolchain.run(files, [input.path])
        try #require(output.isSuccess, "\(output.text.prefix(4000))")
        let lines = output.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        try #require(lines.count == replies.count)
        var invalid = 0
        for (reply, line) in zip(replies, lines) {
            let bytes = Array(reply.text.utf8)
            let interpreted = interpreter.check(bytes, of: reply.method).validation
            let compiled = line.components(separatedBy: "\\\\")
                .map { $0.replacing("\\n", with: "\n") }.joined(separator: "\\")
            expect(interpreted, compiled, reply.method, reply.text)
            if !interpreted.isValid { invalid += 1 }
        }
        #expect(invalid > lines.count / 10 && invalid < lines.count, "\(invalid) of \(lines.count)")
    }

    private static func program(_ api: String) -> String {
        #"""
        import Foundation
        import TelexJSON
        import TelexRuntime

        let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
        for line in text.utf8.split(separator: 0x0A) {
            let parts = line.split(separator: 0x09, maxSplits: 1)
            let name = String(decoding: parts[0], as: UTF8.self)
            guard let method = \#(api).APIMethod(rawValue: name) else { fatalError(name) }
            let report = \#(api).validate(parts.count > 1 ? Array(parts[1]) : [], from: method)
            print(
                report.description.replacingOccurrences(of: "\\", with: "\\\\")
                    .replacingOccurrences(of: "\n", with: "\\n"))
        }
        """#
    }
}

extension TestSpec {
    /// A spec of the repository.
    fileprivate init(committed name: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../specs/\(name)").standardizedFileURL
        var files: [String: String] = [:]
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        for path in paths where path.contains(".") {
            files[path] = try String(
                contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        }
        self.init(files: files)
    }
}
