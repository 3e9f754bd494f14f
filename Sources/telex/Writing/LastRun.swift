import Foundation
import TelexCompiler

/// What the last run that wrote an output folder was made of, kept inside it.
///
/// It stands in the hidden folder `.telex`, which tells git to ignore it, so that committed output
/// gains no file. What is missing, old or damaged only means that the files are generated again.
struct LastRun {
    private let folder: URL

    init(in output: OutputFolder) {
        folder = URL(fileURLWithPath: output.path).appendingPathComponent(".telex")
    }

    private var digestFile: URL { folder.appendingPathComponent("digest") }
    private var specsFile: URL { folder.appendingPathComponent("specs") }

    /// The text of the digest; nil if there is none.
    var digest: String? { try? String(contentsOf: digestFile, encoding: .utf8) }

    /// The files of the spec, by which an edit is recognised; nil if there are none. The digest tells
    /// whether they are those of the last run.
    var specs: [SpecFolder.File]? {
        guard let data = try? Data(contentsOf: specsFile) else { return nil }
        var rest = Array(data)[...]
        var files: [SpecFolder.File] = []
        while !rest.isEmpty {
            guard let path = Self.take(from: &rest), let bytes = Self.take(from: &rest) else {
                return nil
            }
            let name = String(decoding: path, as: UTF8.self)
            files.append(.init(relativePath: name, shownPath: name, bytes: Array(bytes)))
        }
        return files
    }

    /// Keeps the digest and the specs of this run. If the folder cannot be written, the next run is not
    /// shortened.
    func keep(_ digest: OutputDigest, of specs: [SpecFolder.File]) {
        let manager = FileManager.default
        try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data("*\n".utf8).write(to: folder.appendingPathComponent(".gitignore"))
        var data = Data()
        for file in specs {
            for part in [Array(file.relativePath.utf8), file.bytes] {
                data.append(contentsOf: "\(part.count)\n".utf8)
                data.append(contentsOf: part)
            }
        }
        try? data.write(to: specsFile, options: .atomic)
        try? Data(digest.text(with: specs).utf8).write(to: digestFile, options: .atomic)
    }

    /// Takes the next bytes, before which a line has their number.
    private static func take(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
            let count = Int(String(decoding: rest[..<end], as: UTF8.self)), count >= 0,
            count < rest.endIndex - end
        else { return nil }
        defer { rest = rest[(end + 1 + count)...] }
        return rest[(end + 1)..<(end + 1 + count)]
    }
}
