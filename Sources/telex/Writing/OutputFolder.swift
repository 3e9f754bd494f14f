import Foundation
import SpecDiagnostics
import TelexCompiler

/// The folder of the generated code.
struct OutputFolder {
    /// Its path, as given and as shown.
    let path: String

    private var url: URL { URL(fileURLWithPath: path) }

    /// The existing Swift files; none if the folder is missing. An unreadable file is foreign, and
    /// an error only if it has the name of a generated file.
    func existing(
        for generated: Set<String>
    ) throws(OutputError) -> [OutputChanges.Existing] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard FolderWalk.isFolder(url) else {
            throw OutputError(path: path, message: "expected a folder, found a file")
        }
        var files: [OutputChanges.Existing] = []
        let names = try attempt("read", at: path) {
            try FileManager.default.contentsOfDirectory(atPath: path)
        }
        for name in names
        where name.hasSuffix(".swift") && !name.hasPrefix(".")
            && !FolderWalk.isFolder(place(of: name))
        {
            do {
                let bytes = try content(of: name)
                files.append(OutputChanges.Existing(name: name, bytes: bytes))
            } catch {
                if generated.contains(name) { throw error }
            }
        }
        return files
    }

    /// The content of a generated file, or the first bytes of any other file.
    private func content(of name: String) throws(OutputError) -> [UInt8] {
        let place = place(of: name)
        let type = try? FileManager.default.attributesOfItem(
            atPath: place.resolvingSymlinksInPath().path)[.type]
        guard type as? FileAttributeType == .typeRegular else { return [] }
        return try attempt("read", at: shown(name)) {
            let file = try FileHandle(forReadingFrom: place)
            defer { try? file.close() }
            let ours = OutputChanges.headerBytes
            let headerBytes = Array(try file.read(upToCount: ours.count) ?? Data())
            return headerBytes == ours
                ? headerBytes + (try file.readToEnd() ?? Data()) : headerBytes
        }
    }

    /// Applies the changes. All new content is first written to temporary files and then renamed,
    /// so that a full disk or a missing permission changes nothing.
    func apply(_ changes: [OutputChanges.Change]) throws(OutputError) {
        TemporaryName.removeLeftovers(in: url) { $0.hasSuffix(".swift") }
        if changes.isEmpty { return }
        try attempt("made", at: path) {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        for change in changes where FolderWalk.isFolder(place(of: change.name)) {
            throw OutputError(
                path: shown(change.name), message: "expected a file, found a folder")
        }
        var staged: [(from: URL, name: String)] = []
        defer {
            // After success the temporary files have been renamed; only a failed run leaves some.
            for file in staged { try? FileManager.default.removeItem(at: file.from) }
        }
        for change in changes {
            guard let bytes = change.new else { continue }
            let temporary = temporaryPlace(of: change.name)
            staged.append((temporary, change.name))
            try attempt("written", at: shown(change.name)) { try Data(bytes).write(to: temporary) }
        }
        // Removes come first, because an old name may equal a new one where names ignore case.
        for change in changes where change.new == nil {
            try remove(change.name)
        }
        for file in staged { try move(file.from, to: file.name) }
    }

    /// The path of a file in it, as shown.
    func shown(_ name: String) -> String {
        path.hasSuffix("/") ? path + name : path + "/" + name
    }

    private func place(of name: String) -> URL { url.appendingPathComponent(name) }

    private func temporaryPlace(of name: String) -> URL {
        place(of: TemporaryName.of(name))
    }

    /// Removes a file; one that is already gone is not an error.
    private func remove(_ name: String) throws(OutputError) {
        guard unlink(place(of: name).path) != 0, errno != ENOENT else { return }
        let reason = String(cString: strerror(errno))
        throw OutputError(path: shown(name), message: "cannot be removed: \(reason)")
    }

    /// Renames atomically: a reader sees either the old or the new content.
    private func move(_ file: URL, to name: String) throws(OutputError) {
        guard rename(file.path, place(of: name).path) != 0 else { return }
        let reason = String(cString: strerror(errno))
        throw OutputError(path: shown(name), message: "cannot be written: \(reason)")
    }

    private func attempt<Result>(
        _ action: String, at path: String, _ body: () throws -> Result
    ) throws(OutputError) -> Result {
        do {
            return try body()
        } catch {
            throw OutputError(
                path: path, message: "cannot be \(action): \(error.localizedDescription)")
        }
    }
}

/// An error of writing the output.
struct OutputError: Error {
    /// The path, as shown.
    let path: String
    /// The message in one line.
    let message: String
}
