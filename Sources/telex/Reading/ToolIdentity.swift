import Foundation

/// What tells this executable from another version or build.
enum ToolIdentity {
    /// The version, and the path, size and time of the executable; nil if it is not found.
    static var text: String? {
        guard let path = Bundle.main.executableURL?.resolvingSymlinksInPath().path,
            let facts = try? FileManager.default.attributesOfItem(atPath: path),
            let size = facts[.size] as? NSNumber, let date = facts[.modificationDate] as? Date
        else { return nil }
        let time = date.timeIntervalSinceReferenceDate
        return "\(Telex.version) \(path) \(size) \(time)"
    }
}
