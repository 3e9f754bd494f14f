import Foundation

/// The names of files and folders that a process writes first and then renames: `.NAME.PROCESS.telex`.
enum TemporaryName {
    private static let ending = ".telex"

    /// The temporary name of this process for a file or folder.
    static func of(_ name: String) -> String {
        ".\(name).\(ProcessInfo.processInfo.processIdentifier)\(ending)"
    }

    /// Removes what processes left in a folder that were killed while they wrote. What cannot be
    /// removed stays.
    ///
    /// - Parameter isOwn: Whether a name is one that the caller writes.
    static func removeLeftovers(in folder: URL, _ isOwn: (String) -> Bool) {
        let manager = FileManager.default
        for found in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard found.hasPrefix("."), found.hasSuffix(ending) else { continue }
            let parts = found.dropFirst().dropLast(ending.count).split(
                separator: ".", omittingEmptySubsequences: false)
            guard let process = parts.last.flatMap({ pid_t($0) }), process > 0,
                isOwn(parts.dropLast().joined(separator: ".")),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? manager.removeItem(at: folder.appendingPathComponent(found))
        }
    }
}
