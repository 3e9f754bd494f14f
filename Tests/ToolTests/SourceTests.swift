import Foundation
import Testing

/// The names and words of the sources, which a newcomer reads first.
@Suite("The sources")
struct SourceTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A Swift file of the package.
    private struct SwiftFile {
        /// The path below the root of the package.
        let path: String
        let text: String

        /// The file name without its ending.
        var name: String { String(path.split(separator: "/").last?.dropLast(6) ?? "") }

        /// The target, or a folder of several: `Sources/TelexJSON`.
        var target: String { path.split(separator: "/").prefix(2).joined(separator: "/") }

        /// The types that the file declares or extends, and its global functions and constants.
        var declarations: Set<String> {
            let types = text.matches(of: SourceTests.type).flatMap { match in
                match.output.2.split(separator: ".").map(String.init)
            }
            let functions = text.matches(of: SourceTests.function).map { match in
                match.output.1.prefix(1).uppercased() + match.output.1.dropFirst()
            }
            return Set(types + functions)
        }
    }

    // A `Regex` is not `Sendable`; these are constant.
    private nonisolated(unsafe) static let type =
        /\b(struct|class|enum|protocol|actor|typealias|extension)\s+\[?([A-Za-z_][\w.]*)/
    private nonisolated(unsafe) static let function =
        /(?m)^(?:[a-z()]+ )*(?:func|let|var) (\w+)/

    /// The Swift files of a folder. Links, goldens and packages inside the package are left out.
    private static func files(in folder: String) throws -> [SwiftFile] {
        let base = root.appendingPathComponent(folder)
        var files: [SwiftFile] = []
        for case let path as String in try #require(
            FileManager.default.enumerator(atPath: base.path))
        where path.hasSuffix(".swift") && !path.contains("Goldens/")
            && !path.hasPrefix("Consumer/")
        {
            let file = base.appendingPathComponent(path)
            let isLink = try file.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink
            if isLink == true { continue }
            files.append(
                SwiftFile(
                    path: "\(folder)/\(path)", text: try String(contentsOf: file, encoding: .utf8)))
        }
        try #require(!files.isEmpty)
        return files
    }

    private static func allFiles() throws -> [SwiftFile] {
        try files(in: "Sources") + files(in: "Tests")
    }

    @Test("the sources are in files named after what they hold")
    func fileNames() throws {
        for file in try Self.allFiles() where file.name != "Exports" {
            let name = String(file.name.prefix { $0 != "+" })
            #expect(file.declarations.contains(name), "\(file.path)")
        }
    }

    @Test("the sources have no two files of one name")
    func uniqueFileNames() throws {
        let files = Dictionary(grouping: try Self.allFiles()) { $0.name.lowercased() }
        for (_, same) in files where same.count > 1 {
            Issue.record("\(same.map(\.path).sorted().joined(separator: " and "))")
        }
    }

    /// Words about people. In a comment, they stand for the thing in the code that acts.
    private nonisolated(unsafe) static let people =
        /(?i)\b(nobody|somebody|whoever|anybody|everybody|who|whom)\b/

    @Test(
        "the sources speak of code in their comments, not of people",
        arguments: ["Sources", "Tests", "Generated"])
    func words(folder: String) throws {
        let files = Dictionary(grouping: try Self.files(in: folder), by: \.target)
        for (target, files) in files {
            let comments = files.flatMap { $0.text.split(separator: "\n") }
                .compactMap { line in line.range(of: "//").map { line[$0.lowerBound...] } }
            let found = comments.filter { $0.contains(Self.people) }
            #expect(found.count * 100 <= comments.count, "\(target): \(found)")
        }
    }

    /// The title of a test that begins with a predicate or in the middle of a sentence.
    private nonisolated(unsafe) static let fragment =
        /@Test\(\s*"((?:is|are|has|have|does|do|may|must|can|cannot|of|that|with|nor|but) [^"]*)"/

    @Test("the sources of a test give it a title that says of what it tells")
    func titles() throws {
        for file in try Self.files(in: "Tests") {
            let found = file.text.matches(of: Self.fragment).map(\.output.1)
            #expect(found.isEmpty, "\(file.path)")
        }
    }

    // MARK: Numbers on watches

    /// An integer literal in code.
    private nonisolated(unsafe) static let integer =
        /\b(0x[0-9A-Fa-f_]+|[0-9][0-9_]*)\b(?!\.[0-9])/
    /// What names the type of a literal: the declaration of a constant or an array before it, a
    /// conversion around it or behind it, or a label or a case whose value has a type.
    private nonisolated(unsafe) static let declaration =
        /: [(\[]*(U?Int64|UInt32|Double)\b[^=]*=\s/
    private nonisolated(unsafe) static let label =
        /\b(U?Int64|UInt32|Double|int|timeIntervalSince1970)(\(|: )-?$/
    private nonisolated(unsafe) static let conversion = /^ as (U?Int64|UInt32|Double)\b/

    /// The lines of a file without texts and comments.
    private static func codeLines(_ text: String) -> [Substring] {
        text.replacing(/(?s)"""(?!").*?"""/, with: "").replacing(/#".*"#/, with: "")
            .replacing(/"([^"\\\n]|\\.)*"/, with: "")
            .split(separator: "\n")
            .map { $0[..<($0.range(of: "//")?.lowerBound ?? $0.endIndex)] }
    }

    /// The integer literals beyond 32 bits whose type is left to inference.
    private static func untyped(_ text: String) -> [String] {
        var found: [String] = []
        var isTypedList = false
        for line in codeLines(text) {
            let isList = line.wholeMatch(of: /[\s,\]0-9A-Fa-fx_]+/) != nil
            if !isList { isTypedList = line.contains(/: \[(U?Int64|UInt32|Double)\] = \[$/) }
            for match in line.matches(of: integer) where !(isList && isTypedList) {
                let digits = match.output.1.replacing("_", with: "")
                let value =
                    digits.hasPrefix("0x")
                    ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
                let before = line[..<match.range.lowerBound]
                let isTyped =
                    before.contains(declaration) || before.contains(label)
                    || line[match.range.upperBound...].contains(conversion)
                if value ?? .max > Int32.max, !isTyped { found.append(String(line)) }
            }
        }
        return found
    }

    @Test(
        "the sources type each integer beyond 32 bits, for `Int` has no more on some watches",
        arguments: ["Sources", "Generated"])
    func wideIntegers(folder: String) throws {
        for file in try Self.files(in: folder)
        where folder == "Generated" || file.path.hasPrefix("Sources/Telex") {
            #expect(Self.untyped(file.text) == [], "\(file.path)")
        }
    }

    @Test(
        "the sources are searched for such integers in every form",
        arguments: [
            ("let a = 2_147_483_648", 1), ("f(power * 661_971_961_083 >> 41)", 1),
            ("let a = UInt64(b * 913_124_641_741)", 1), ("a & 0x8080_8080", 1),
            ("let a: [UInt32] = [\n    0xbb67_ae85, 0x3c6e_f372,\n]", 0),
            ("f([\n  0xbb67_ae85\n])", 1),
            ("let a = 2_147_483_647", 0), ("let a: Int64 = 3_000_000_000", 0),
            ("a * Int64(3_000_000_000)", 0), ("Int(clamping: 3_000_000_000 as Int64)", 0),
            ("let a = 3_000_000_000.0", 0), ("\"3_000_000_000\" // 3_000_000_000", 0),
        ])
    func searched(code: String, count: Int) {
        #expect(Self.untyped(code).count == count)
    }

    @Test("the sources of an attempt name no feature of calls: it passes through a list of them")
    func features() throws {
        let features = try Self.files(in: "Sources/TelexRuntime/Call/Features")
            .flatMap(\.declarations).filter { $0.hasSuffix("Feature") && $0 != "CallFeature" }
        #expect(features.count >= 6)
        let parts = ["HTTPCache", "CookieJar", "LoginRules", "TemplateUse", "DriftListener"]
        let attempt = try Self.files(in: "Sources/TelexRuntime/Call").filter { file in
            file.path.contains("/Reply/") || file.path.contains("/Call/Call.swift")
                || file.path.contains("/Call/Exchange")
        }
        #expect(attempt.count >= 7)
        for file in attempt {
            for name in features + parts where name != "NextFeature" {
                #expect(!file.text.contains(name), "\(file.path) names \(name)")
            }
        }
    }

    // MARK: The compiler

    @Test("the sources have one list of the passes that change a resolved spec")
    func passes() throws {
        let files = try Self.files(in: "Sources/SpecSemantics")
        let list = try #require(files.first { $0.name == "Resolver" })
        let passes = files.filter { $0.name != list.name && $0.text.contains("inout ResolvedSpec") }
        #expect(passes.count >= 6)
        for pass in passes { #expect(list.text.contains("\(pass.name)."), "\(pass.path)") }
    }

    @Test("the sources make what a spec declares in the lowering alone")
    func lowering() throws {
        let makers = try Self.files(in: "Sources/SpecSemantics").filter {
            $0.text.contains(/\b(API|Group|Method|Parameter|ErrorCase)\(/)
        }
        #expect(!makers.isEmpty)
        for file in makers { #expect(file.path.contains("/Lowering/"), "\(file.path)") }
    }

    // MARK: The pages about the sources

    private static let pages = ["Architecture", "WhereItIsDecided"]

    /// The pieces of code in the text of a page.
    private static func code(on page: String) throws -> [String] {
        let text = try String(
            contentsOf: root.appendingPathComponent(
                "Sources/TelexRuntime/TelexRuntime.docc/\(page).md"), encoding: .utf8)
        return text.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
    }

    @Test("the sources have the files and folders that the pages name", arguments: pages)
    func pageFiles(page: String) throws {
        let paths = try Self.code(on: page).filter {
            $0.wholeMatch(of: /[\w+]+(\/[\w+.]+)+/) != nil
        }
        #expect(paths.count > 10)
        for path in paths {
            let places = [path, "Sources/\(path)"].map { Self.root.appendingPathComponent($0).path }
            #expect(places.contains { FileManager.default.fileExists(atPath: $0) }, "\(path)")
        }
    }

    @Test("the sources have tests for each decision that a page lists")
    func decisionTests() throws {
        let page = Self.root.appendingPathComponent(
            "Sources/TelexRuntime/TelexRuntime.docc/WhereItIsDecided.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| question") }
        #expect(rows.count > 80)
        let suites = try Self.files(in: "Tests").filter { $0.text.contains("@Suite") }.map(\.name)
        for row in rows {
            let cells = row.split(separator: "|").filter { $0.contains { $0 != " " } }
            let names = cells.last?.matches(of: /`(\w+Tests)`/).map { String($0.output.1) } ?? []
            #expect(cells.count == 3 && !names.isEmpty && Set(names).isSubset(of: suites), "\(row)")
        }
    }

    @Test("the sources declare the types and targets that the pages name", arguments: pages)
    func pageTypes(page: String) throws {
        let manifest = try String(
            contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let declared = try Self.allFiles().reduce(into: Set<String>()) {
            $0.formUnion($1.declarations)
        }
        // Of the systems, not of the package.
        let known: Set = ["ETag", "URLSession"]
        for name in try Self.code(on: page) where name.wholeMatch(of: /[A-Z]\w+/) != nil {
            let exists =
                declared.contains(name) || known.contains(name) || manifest.contains("\"\(name)\"")
                || FileManager.default.fileExists(
                    atPath: Self.root.appendingPathComponent(name).path)
            #expect(exists, "\(name)")
        }
    }

    @Test("the sources have the scripts, files, targets and suites that CONTRIBUTING names")
    func contributing() throws {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
        let words = text.split { " `(),;|\n".contains($0) }.map(String.init)
        let paths = Set(
            words.filter { $0.wholeMatch(of: /(\.ci|Sources|specs|Generated)\/[\w.\/]+\w/) != nil })
        #expect(paths.count >= 9)
        for path in paths {
            let place = Self.root.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: place), "\(path)")
        }
        let declared = try Self.allFiles().reduce(into: Set<String>()) {
            $0.formUnion($1.declarations)
        }
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appendingPathComponent("Tests").path)
        for name in words.flatMap({ $0.split { "=.".contains($0) } }).map(String.init)
        where name.hasSuffix("Tests") && name != "Tests" {
            #expect(declared.contains(name) || folders.contains(name), "\(name)")
        }
    }
}
