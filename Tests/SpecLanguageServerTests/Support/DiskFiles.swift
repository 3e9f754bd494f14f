import Foundation
import SpecIR
import TelexCompiler
import TelexJSON

@testable import SpecLanguageServer

/// The folder `/spec` of a disk that is in memory.
final class DiskFiles: Sendable {
    private let files: Lock<[String: String]>

    init(_ texts: [String: String]) { files = Lock(texts) }

    var all: [String: String] { files.withLock { $0 } }

    func text(_ path: String) -> String? { files.withLock { $0[path] } }

    func set(_ path: String, _ text: String?) { files.withLock { $0[path] = text } }

    /// The folder as the server reads it.
    var source: FileSource {
        FileSource(
            file: { path in
                guard path.hasPrefix("/spec/") else { return nil }
                return self.text(String(path.dropFirst(6))).map { Array($0.utf8) }
            },
            folder: { SpecOnDisk.folder(self.all, at: $0) })
    }
}

/// Specs of this repository, and folders of texts.
enum SpecOnDisk {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The texts of a spec in `specs`, by their paths.
    static func files(_ spec: String) throws -> [String: String] {
        let folder = root.appending(path: "specs/\(spec)")
        var files: [String: String] = [:]
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where OutputName.isInput(file) {
            files[file] = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        return files
    }

    static func folder(_ files: [String: String], at path: String = "/spec") -> SpecFolder {
        SpecFolder(
            shownPath: path,
            files: files.map { name, text in
                SpecFolder.File(
                    relativePath: name, shownPath: "\(path)/\(name)", bytes: Array(text.utf8))
            })
    }
}
