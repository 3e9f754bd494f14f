import Foundation
import Testing

/// A folder of cases and of what each of them is expected to give.
///
/// A case is a file; what is expected of it stands beside it, under the case's name with another
/// ending. No file means "nothing is expected", and a file that belongs to no case fails. With
/// `TELEX_UPDATE_GOLDENS=1` the expectations are rewritten, and the run still fails: a person has
/// to look at the difference and run again.
struct GoldenFolder {
    private let folder: URL

    /// The folder `Goldens/name` beside the file of the test.
    init(_ name: String, file: String = #filePath) {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent()
        folder = tests.appendingPathComponent("Goldens/\(name)")
    }

    /// The names of the cases with this ending, sorted, and the bytes of each.
    func cases(endingIn ending: String) throws -> [(name: String, bytes: [UInt8])] {
        try names().filter { $0.hasSuffix(ending) }.map { name in
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            return (String(name.dropLast(ending.count)), Array(data))
        }
    }

    /// Compares results, by file name, with what is on disk. Files that end in `ending` are cases.
    func expect(_ results: [String: String], casesEndingIn ending: String? = nil) throws {
        let files = try names().filter { name in ending.map { !name.hasSuffix($0) } ?? true }
        for orphan in files where results[orphan] == nil {
            Issue.record("\(orphan) belongs to no case")
            if isUpdating { try remove(orphan) }
        }
        for (name, result) in results.sorted(by: { $0.key < $1.key }) {
            let expected = files.contains(name) ? try text(name) : ""
            guard expected != result else { continue }
            Issue.record("\(name): \(Self.difference(expected, result))")
            if isUpdating { try result.isEmpty ? remove(name) : write(result, name) }
        }
    }

    private var isUpdating: Bool {
        ProcessInfo.processInfo.environment["TELEX_UPDATE_GOLDENS"] == "1"
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
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
