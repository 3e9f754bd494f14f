import Foundation
import TelexTemplater
import TestSupport

/// A folder for the stores of a test, which is removed at the end.
final class StoreFolder: Sendable {
    let path: String

    /// The default folder of the stores; it is not created.
    var base: String { place("store") }
    /// A store in this folder.
    var templater: Templater { Templater(folder: base, home: path) }

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "telex-templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func place(_ name: String) -> String { "\(path)/\(name)" }

    func url(_ name: String) -> URL { URL(filePath: place(name)) }

    func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = url(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: url(name), encoding: .utf8)
    }

    /// The names in a folder that do not begin with a dot; none if there is no folder.
    func names(_ folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: place(folder))
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Runs a store in a process of its own.
    func process(_ commands: String...) async throws -> Run {
        try await Run.program(try Self.program, [base, path] + commands)
    }

    static var program: String {
        get throws {
            guard let path = BuiltProgram.path(named: "templater-process") else { throw Missing() }
            return path
        }
    }

    struct Missing: Error {}
}
