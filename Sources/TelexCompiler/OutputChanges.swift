import SpecIR
import SwiftEmitter

/// The changes that make an output folder match the generated files.
///
/// Files of the folder are of three kinds: generated now, generated earlier, and foreign. Foreign
/// files are never changed. A generated file begins with the header of telex and has the name that
/// belongs to the spec file of the header. A copy under another name is foreign.
public struct OutputChanges: Sendable {
    /// The first bytes of every generated file. A file that begins differently need not be read
    /// further.
    public static let headerBytes = Array(SwiftEmitter.header.utf8)

    /// A file that the output folder already holds.
    public struct Existing: Sendable {
        /// Its name, without a folder.
        public var name: String
        /// Its content.
        public var bytes: [UInt8]

        /// Creates a file.
        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }

        /// Whether telex generated it.
        public var isGenerated: Bool {
            guard let source = SwiftEmitter.source(of: bytes) else { return false }
            // The number of a further part, which the spec may not have any more.
            let part = name.split(separator: "+").last.flatMap { Int($0.prefix { $0 != "." }) } ?? 1
            let first = OutputName.file(forSpec: source)
            let made =
                source == SwiftEmitter.allFiles
                ? [OutputName.fixed[1], OutputName.templates]
                : [first, part > 1 ? OutputName.file(first, part: part) : first]
            // File systems may ignore case.
            return made.contains { $0.lowercased() == name.lowercased() }
        }
    }

    /// A change of one file.
    public struct Change: Sendable {
        /// Its name, without a folder.
        public var name: String
        /// The current content; nil if the file is missing.
        public var old: [UInt8]?
        /// The new content; nil if the file is removed.
        public var new: [UInt8]?
    }

    /// The files to write or remove, sorted by name.
    public private(set) var changes: [Change] = []
    /// Names of generated files that collide with a foreign file, sorted.
    public private(set) var foreign: [String] = []
    /// The API of the folder's client, if it differs from the generated one.
    public private(set) var otherAPI: String?

    /// Compares generated with existing files. `existing` has at least every Swift file of the
    /// output folder; both may be in any order.
    public init(generated: [GeneratedFile], existing: [Existing]) {
        var found: [String: Existing] = [:]
        for file in existing { found[file.name] = file }
        for file in generated {
            let old = found.removeValue(forKey: file.name)
            let new = Array(file.text.utf8)
            if let old, !old.isGenerated { foreign.append(file.name) }
            if let old, old.isGenerated, file.name == OutputName.fixed[0] {
                let name = SwiftEmitter.api(of: old.bytes)
                if name != SwiftEmitter.api(of: new) { otherAPI = name }
            }
            if old?.bytes != new {
                changes.append(Change(name: file.name, old: old?.bytes, new: new))
            }
        }
        for file in found.values where file.isGenerated {
            changes.append(Change(name: file.name, old: file.bytes, new: nil))
        }
        changes.sort { $0.name < $1.name }
        foreign.sort()
    }

    /// Whether the folder is up to date.
    public var isEmpty: Bool { changes.isEmpty }

    /// The changes as a unified diff, files under `folder`.
    public func diff(in folder: String) -> String {
        changes.map { change in
            let path = "\(folder)/\(change.name)"
            let old = change.old.map { String(decoding: $0, as: UTF8.self) }
            let new = change.new.map { String(decoding: $0, as: UTF8.self) }
            return UnifiedDiff(path: path, old: old, new: new).text
        }.joined()
    }
}
