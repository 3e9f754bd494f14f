#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A template on disk.
public struct StoredTemplate: Sendable, Hashable {
    /// The API's own name of the method: `users.get`.
    public let method: String
    /// The size of the file in bytes.
    public let size: Int
    /// When the template was written last. Moving the folder does not change it.
    public let modified: Date

    /// Looks at a file; nil if it is not a regular file, or gone.
    init?(_ method: String, at path: String) {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard let facts, facts[.type] as? FileAttributeType == .typeRegular,
            let size = facts[.size] as? Int, let modified = facts[.modificationDate] as? Date
        else { return nil }
        (self.method, self.size, self.modified) = (method, size, modified)
    }

    /// Gives a file the time of this template. Errors are ignored: only `purge` reads it.
    func setTime(of path: String) {
        try? FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path)
    }
}

extension TemplateFolder {
    /// The templates, by name; none if there is no folder.
    func templates() throws(TemplaterError) -> [StoredTemplate] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        guard let names else {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            throw TemplaterError(path, .noPermission)
        }
        return names.sorted().compactMap { name in
            Self.method(ofFile: name).flatMap { StoredTemplate($0, at: file(of: $0)) }
        }
    }
}
