import Foundation
import SpecDiagnostics
import TelexCompiler

/// The folder that generated code goes to.
struct OutputFolder {
    /// Its path, as given and as shown.
    let path: String

    private var url: URL { URL(fileURLWithPath: path) }

    /// The Swift files that it holds now; none if there is no such folder. What is no file, or cannot
    /// be read, is somebody else's, and no reason to fail unless it has the name of a generated one.
    func existing(
        for generated: Set<String>
    ) throws(OutputError) -> [OutputChanges.Existing] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard FolderWalk.isFolder(url) else {
            throw OutputError(path: path, message: "a file stands where the folder should be")
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

    /// What a file holds; of one that does not begin as generated code does, the beginning.
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

    /// Makes the folder be as the changes say. New content is first written beside all places, and
    /// only when that has succeeded renamed to them, so a full disk or a missing permission leaves
    /// everything as it was.
    func apply(_ changes: [OutputChanges.Change]) throws(OutputError) {
        if changes.isEmpty { return }
        try attempt("made", at: path) {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        for change in changes where FolderWalk.isFolder(place(of: change.name)) {
            throw OutputError(
                path: shown(change.name), message: "a folder stands where the file should be")
        }
        var staged: [(from: URL, name: String)] = []
        defer {
            // What was renamed is gone from here; only a failed run leaves something to remove.
            for file in staged { try? FileManager.default.removeItem(at: file.from) }
        }
        for change in changes {
            guard let bytes = change.new else { continue }
            let temporary = temporaryPlace(of: change.name)
            staged.append((temporary, change.name))
            try attempt("written", at: shown(change.name)) { try Data(bytes).write(to: temporary) }
        }
        // Removed first: where names ignore case, an old name may be that of a new file.
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
        place(of: ".\(name).\(ProcessInfo.processInfo.processIdentifier).telex")
    }

    /// Another run may have removed it at this moment, which is as well.
    private func remove(_ name: String) throws(OutputError) {
        guard unlink(place(of: name).path) != 0, errno != ENOENT else { return }
        let reason = String(cString: strerror(errno))
        throw OutputError(path: shown(name), message: "cannot be removed: \(reason)")
    }

    /// Renames in one step of the file system: a reader sees the old content or the new.
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

/// Why output could not be written.
struct OutputError: Error {
    /// What it is about, as shown.
    let path: String
    /// The mistake in one line.
    let message: String
}
