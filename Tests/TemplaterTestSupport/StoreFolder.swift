package import Foundation
package import TelexTemplater

/// A folder for the stores of a test, which is removed at the end.
package final class StoreFolder: Sendable {
    package let path: String

    /// The default folder of the stores; it is not created.
    package var base: String { place("store") }
    /// A store in this folder.
    package var templater: Templater { Templater(folder: base, home: path) }

    package init() throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "telex-templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func place(_ name: String) -> String { "\(path)/\(name)" }

    package func url(_ name: String) -> URL { URL(filePath: place(name)) }

    package func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

    package func write(_ name: String, _ bytes: [UInt8]) throws {
        let file = url(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    package func text(_ name: String) throws -> String {
        try String(contentsOf: url(name), encoding: .utf8)
    }

    /// The names in a folder that do not begin with a dot; none if there is no folder.
    package func names(_ folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: place(folder))
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }
}
