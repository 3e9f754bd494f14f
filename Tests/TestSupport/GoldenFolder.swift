import Foundation

/// A folder of cases and of what each of them is expected to give.
///
/// A case is a file or a piece of code; what is expected of it is a file named after it. No file means "nothing is expected", and a
/// file that belongs to no case is a problem. With `TELEX_UPDATE_GOLDENS=1` the files are rewritten,
/// and the problems are still reported: a person has to look at the difference and run again.
public struct GoldenFolder: Sendable {
    private let folder: URL

    /// The folder `Goldens`, or one inside it, beside the file of the test.
    public init(_ name: String = "", file: String = #filePath) {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent()
        folder = tests.appendingPathComponent("Goldens").appendingPathComponent(name)
    }

    /// The names of the cases with this ending, sorted, and the bytes of each.
    /// - Throws: An error of the file system.
    public func cases(endingIn ending: String) throws -> [(name: String, bytes: [UInt8])] {
        try names().filter { $0.hasSuffix(ending) }.map { name in
            (String(name.dropLast(ending.count)), Array(try Data(contentsOf: place(of: name))))
        }
    }

    /// Compares results, by file name, with what is on disk. Files that end in `ending` are cases.
    /// - Returns: What differs, a sentence each; empty if all is as expected.
    /// - Throws: An error of the file system.
    public func problems(
        with results: [String: String], casesEndingIn ending: String? = nil
    ) throws -> [String] {
        var problems: [String] = []
        let files = try names().filter { name in ending.map { !name.hasSuffix($0) } ?? true }
        for orphan in files where results[orphan] == nil {
            problems.append("\(orphan) belongs to no case")
            if isUpdating { try FileManager.default.removeItem(at: place(of: orphan)) }
        }
        for (name, result) in results.sorted(by: { $0.key < $1.key }) {
            let expected = files.contains(name) ? try text(name) : ""
            guard expected != result else { continue }
            problems.append("\(name): \(Self.difference(expected, result))")
            if isUpdating { try write(result, name) }
        }
        return problems
    }

    private var isUpdating: Bool {
        ProcessInfo.processInfo.environment["TELEX_UPDATE_GOLDENS"] == "1"
    }

    private func names() throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    private func place(of name: String) -> URL { folder.appendingPathComponent(name) }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: place(of: name)), as: UTF8.self)
    }

    private func write(_ text: String, _ name: String) throws {
        if text.isEmpty { return try FileManager.default.removeItem(at: place(of: name)) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place(of: name))
    }

    /// The first line that differs, as expected and as found.
    private static func difference(_ expected: String, _ found: String) -> String {
        let expected = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let found = found.split(separator: "\n", omittingEmptySubsequences: false)
        let common = zip(expected, found).prefix { $0.0 == $0.1 }.count
        let before = common < expected.count ? String(expected[common]) : "the end"
        let now = common < found.count ? String(found[common]) : "the end"
        return
            "line \(common + 1) expected \(before.debugDescription), found \(now.debugDescription)"
    }
}
