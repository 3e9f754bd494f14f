import Foundation

/// A temporary folder that is deleted with its test.
final class Sandbox: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Creates a sandbox with the usual spec.
    static func withSpec() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(
            "spec/api.yaml", "telex: 1\napi: Shop\nservers: { a: https://a.example/ }\n")
        try sandbox.write(
            "spec/goods.yaml", "methods:\n  list: { get: goods, returns: [string] }\n")
        return sandbox
    }

    func place(_ path: String) -> URL { url.appendingPathComponent(path) }

    func write(_ path: String, _ text: String) throws {
        try FileManager.default.createDirectory(
            at: place(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: place(path))
    }

    func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: place(path)), as: UTF8.self)
    }

    func replace(_ old: String, by new: String, in path: String) throws {
        try write(path, try read(path).replacingOccurrences(of: old, with: new))
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: place(path))
    }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: place(path).path, withDestinationPath: target)
    }

    /// All names in a folder, hidden ones too, sorted. Left out is the folder of the last run's
    /// digest, which `UnchangedInputTests` look at.
    func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place(path).path)
            .filter { $0 != ".telex" }.sorted()
    }

    /// When a file was last written.
    func date(_ path: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: place(path).path)[.modificationDate]
            as? Date
    }

    /// Makes a file look as if it had been written long ago.
    func age(_ path: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: place(path).path)
    }
}
