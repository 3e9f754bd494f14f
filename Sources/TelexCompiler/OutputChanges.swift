import SpecIR
import SwiftEmitter

/// What has to happen to an output folder so that it holds exactly what was generated.
///
/// Three kinds of files are told apart: those that were generated now, those that telex generated
/// earlier, and those of other people, which are never touched. What telex generated begins with its
/// header and has the name that goes with the spec file named there: a copy under another name is
/// somebody's own.
public struct OutputChanges: Sendable {
    /// What every generated file begins with: of a file with another beginning, no more has to be read.
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

        /// Whether telex wrote it.
        public var isGenerated: Bool {
            guard let source = SwiftEmitter.source(of: bytes) else { return false }
            let made =
                source == SwiftEmitter.allFiles
                ? OutputName.fixed[1] : OutputName.file(forSpec: source)
            // Some file systems ignore case.
            return made.lowercased() == name.lowercased()
        }
    }

    /// One file that is not as it should be.
    public struct Change: Sendable {
        /// Its name, without a folder.
        public var name: String
        /// What it holds now; nil if there is none.
        public var old: [UInt8]?
        /// What it has to hold; nil if it has to go.
        public var new: [UInt8]?
    }

    /// What has to be written or removed, sorted by name.
    public private(set) var changes: [Change] = []
    /// Names of generated files at whose place somebody else's file stands, sorted.
    public private(set) var foreign: [String] = []
    /// The API that the folder holds the client of, if that is another one than was generated.
    public private(set) var otherAPI: String?

    /// Compares what was generated with what exists. `existing` holds at least every Swift file of
    /// the output folder; neither needs an order.
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

    /// Whether the folder is as it should be.
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
