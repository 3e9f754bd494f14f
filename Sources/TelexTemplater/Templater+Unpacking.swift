import TelexTemplates

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Templater {
    /// Unpacks an archive of default templates. Call it at each launch: a version is unpacked once,
    /// also if two processes call this at the same time.
    ///
    /// The archive is a zip file with files `METHOD.json`, stored or deflated, in folders or not. What
    /// begins with a dot and the folder `__MACOSX` are ignored. The whole archive is checked before
    /// anything is written. It has at most 4,096 entries and 32 MiB, its files 64 MiB.
    ///
    /// Templates that the app has written stay, and those of an earlier version are replaced, or
    /// removed if the new one does not have them.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - version: Any text that changes when the archive does.
    ///   - overwriting: Whether templates that the app has written are replaced, too.
    /// - Returns: The methods whose templates were written; none if the version was unpacked before.
    /// - Throws: If the archive is missing, damaged or unsafe, has a file that is not a template, or
    ///   if a file cannot be written. After an error in the archive, nothing has changed.
    @discardableResult
    public func unpack(
        archive: URL, version: String, overwriting: Bool = false
    ) async throws -> [String] {
        guard try !isUnpacked(version) else { return [] }
        guard let path = archive.filePath else {
            throw TemplaterError(archive.absoluteString, .notAPath)
        }
        let defaults = try defaults(in: path)
        return try await changing { folder throws(TemplaterError) in
            guard try !isUnpacked(version) else { return [] }
            return try put(defaults, version, into: folder, overwriting: overwriting)
        }
    }

    private func isUnpacked(_ version: String) throws(TemplaterError) -> Bool {
        // Also checks the address of the folder.
        _ = try places()
        return try UnpackedDefaults(in: base)?.version == version
    }

    private func put(
        _ defaults: [String: ZipArchive.File], _ version: String, into folder: TemplateFolder,
        overwriting: Bool
    ) throws(TemplaterError) -> [String] {
        let old = try UnpackedDefaults(in: base)?.checksums ?? [:]
        let new = defaults.mapValues(\.checksum)
        // Those that the app has written or changed.
        var own: Set<String> = []
        for method in Set(old.keys).union(new.keys) {
            let sum = try folder.read(method).map(ZipArchive.checksum)
            if let sum, sum != old[method], sum != new[method] { own.insert(method) }
        }
        let chosen = new.keys.filter { overwriting || !own.contains($0) }.sorted()
        try folder.create()
        try folder.replaceTemplates(
            chosen.map { ($0, defaults[$0]?.bytes ?? []) }, checkpoint)
        for method in old.keys where new[method] == nil && !own.contains(method) {
            try folder.removeTemplate(of: method)
        }
        checkpoint()
        try UnpackedDefaults(version: version, checksums: new).save(in: base)
        return chosen
    }

    /// The templates of an archive by the names of their methods, all checked.
    private func defaults(in path: String) throws(TemplaterError) -> [String: ZipArchive.File] {
        guard let bytes = try TemplateFolder.read(path, limit: ZipArchive.mostPacked) else {
            throw TemplaterError(path, .badArchive("it does not exist"))
        }
        do throws(ZipArchive.Problem) {
            return try templates(in: try ZipArchive(bytes))
        } catch { throw TemplaterError(path, .badArchive(error.text)) }
    }

    private func templates(
        in archive: ZipArchive
    ) throws(ZipArchive.Problem) -> [String: ZipArchive.File] {
        var (files, seen): ([String: ZipArchive.File], Set<String>) = ([:], [])
        for file in archive.files {
            let parts = file.path.split(separator: "/")
            // Finder adds these.
            let isJunk = parts.first == "__MACOSX" || parts.contains { $0.hasPrefix(".") }
            if isJunk { continue }
            guard let method = parts.last.flatMap({ TemplateFolder.method(ofFile: String($0)) })
            else { throw ZipArchive.Problem(in: file.path, "is not named METHOD.json") }
            guard seen.insert(method.lowercased()).inserted else {
                throw ZipArchive.Problem(in: file.path, "is there twice, in any folder or case")
            }
            do throws(TemplateError) {
                _ = try Template(parsing: file.bytes, compatibility: compatibility)
            } catch {
                throw ZipArchive.Problem(in: file.path, "is not a template: \(error.summary)")
            }
            files[method] = file
        }
        return files
    }
}

extension TemplateError {
    /// The first mistake, and the number of the others.
    var summary: String {
        let first = mistakes.first?.description ?? ""
        return mistakes.count > 1 ? "\(first) (and \(mistakes.count - 1) more)" : first
    }
}
