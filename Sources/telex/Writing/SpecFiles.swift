import Foundation

/// Writes files of a spec folder.
enum SpecFiles {
    /// Replaces files, or creates them with their folders. All new content is first written to
    /// temporary files and then renamed, so that a full disk or a missing permission changes nothing.
    /// A link stays, and what it leads to is replaced.
    static func write(_ files: [(path: String, bytes: [UInt8])]) throws(OutputError) {
        let manager = FileManager.default
        var staged: [(from: URL, to: URL, path: String)] = []
        defer { for file in staged { try? manager.removeItem(at: file.from) } }
        for (path, bytes) in files {
            let place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let folder = place.deletingLastPathComponent()
            let temporary = folder.appendingPathComponent(TemporaryName.of(place.lastPathComponent))
            staged.append((temporary, place, path))
            do {
                try manager.createDirectory(at: folder, withIntermediateDirectories: true)
                TemporaryName.removeLeftovers(in: folder) { $0 == place.lastPathComponent }
                try Data(bytes).write(to: temporary)
                if let mode = try? manager.attributesOfItem(atPath: place.path)[.posixPermissions] {
                    try manager.setAttributes(
                        [.posixPermissions: mode], ofItemAtPath: temporary.path)
                }
            } catch {
                throw OutputError(
                    path: path, message: "cannot be written: \(error.localizedDescription)")
            }
        }
        for file in staged where rename(file.from.path, file.to.path) != 0 {
            let reason = String(cString: strerror(errno))
            throw OutputError(path: file.path, message: "cannot be written: \(reason)")
        }
    }
}
