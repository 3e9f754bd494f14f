public import Foundation

/// Programs of the Swift toolchain, run on files in a temporary folder.
public enum SwiftToolchain {
    /// The result of a program.
    public struct Report: Sendable {
        /// Whether the program exited with 0.
        public let isSuccess: Bool
        /// The first error lines.
        public let text: String
    }

    /// The options that enable the features of new targets of Xcode 26, and upcoming features.
    public static let upcomingFeatures = [
        "MemberImportVisibility", "InternalImportsByDefault", "ExistentialAny",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].flatMap { ["-enable-upcoming-feature", $0] }

    /// Type-checks a client of the runtime: Swift 6, with warnings as errors.
    public static func typecheck(
        _ files: [String: String], _ options: [String] = []
    ) async throws -> Report {
        var arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors"]
        #if os(macOS)
            arguments += ["-target", "\(architecture)-apple-macosx13.0"]
        #endif
        arguments += ["-module-name", "Client", "-wmo"] + imports + options
        return try await run(arguments, on: files)
    }

    /// Compiles a program of a client, and runs it with arguments.
    ///
    /// - Returns: The output of the program, or the errors of the compiler.
    public static func run(
        _ files: [String: String], _ arguments: [String]
    ) async throws -> Report {
        let folder = try write(files)
        defer { try? FileManager.default.removeItem(at: folder) }
        let options = ["-swift-version", "6", "-module-name", "Client", "-j", "2", "-o", "client"]
        let built = try await report(
            of: ["swiftc"] + options + imports + (objects ?? []) + files.keys.sorted(), in: folder)
        guard built.isSuccess else { return built }
        let run = try await Run.program(
            folder.appendingPathComponent("client").path, arguments, in: folder)
        return Report(isSuccess: run.status == 0, text: run.output + run.errors)
    }

    /// The object files of the runtime, from the list that the tests are linked with; nil without one.
    public static var objects: [String]? {
        guard let folder = modules?.deletingLastPathComponent() else { return nil }
        let list = folder.appendingPathComponent("telexPackageTests.product/Objects.LinkFileList")
        guard let text = try? String(contentsOf: list, encoding: .utf8) else { return nil }
        let targets = [
            "TelexRuntime", "TelexJSON", "TelexValues", "TelexTransport", "TelexScheduling",
            "TelexCredentials", "TelexRequests", "TelexDiagnosis", "TelexDownloads",
            "TelexInspection",
            "TelexCache", "SecretNames", "HTTPTypes", "TelexTemplates", "TemplateRules",
            "TelexTesting",
        ]
        return text.split(separator: "\n").map(String.init).filter { path in
            targets.contains { path.contains("/\($0).build/") }
        }
    }

    /// Lints files by the rules of this repository.
    public static func lint(_ files: [String: String]) async throws -> Report {
        let rules = root.appendingPathComponent(".swift-format").path
        return try await run(
            ["swift", "format", "lint", "--strict", "--configuration", rules], on: files)
    }

    /// Whether the formatter is installed.
    @Sendable public static func hasFormatter() async -> Bool {
        (try? await run(["swift", "format", "--version"], on: [:]))?.isSuccess ?? false
    }

    /// The folder of the runtime's compiled modules, beside the bundle of the tests.
    public static var modules: URL? {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        var folder = URL(fileURLWithPath: bundle)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let modules = folder.appendingPathComponent("Modules")
            let module = modules.appendingPathComponent("TelexRuntime.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return modules }
        }
        return nil
    }

    /// The options that find the runtime's modules, and that of its functions in C.
    private static var imports: [String] {
        guard let modules else { return [] }
        let scan = modules.deletingLastPathComponent().appendingPathComponent("CScan.build")
        return ["-I", modules.path, "-I", scan.path]
    }

    /// The folder of the package.
    public static var root: URL {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }

    #if arch(arm64)
        private static let architecture = "arm64"
    #else
        private static let architecture = "x86_64"
    #endif

    private static func run(
        _ arguments: [String], on files: [String: String]
    ) async throws -> Report {
        let folder = try write(files)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await report(of: arguments + files.keys.sorted(), in: folder)
    }

    private static func report(of arguments: [String], in folder: URL) async throws -> Report {
        let run = try await Run.program("/usr/bin/env", arguments, in: folder)
        let lines = (run.output + run.errors).split(separator: "\n")
        let problems = lines.filter { $0.contains("error:") }.prefix(20)
        return Report(isSuccess: run.status == 0, text: problems.joined(separator: "\n"))
    }

    /// Writes files to a new folder.
    private static func write(_ files: [String: String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-emitter-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        return folder
    }
}
