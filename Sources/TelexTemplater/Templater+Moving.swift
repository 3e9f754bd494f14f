#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Templater {
    /// Moves all templates to another folder, also on another disk. The folder is remembered: all
    /// stores with the same default folder use it from now on, in any process and at later
    /// launches. Inside the home folder, it is remembered relative to that.
    ///
    /// The templates are copied first and removed last. In between, one write of a small file
    /// decides which copies count, so that after an error or the end of the process all templates
    /// are in the old folder or all are in the new one. The next change removes the others.
    ///
    /// - Parameter folder: The new folder, which is created. It may have files, but no templates.
    /// - Throws: If the folder has templates, or cannot be written. The templates then stay where
    ///   they are.
    public func move(to folder: URL) async throws {
        guard let path = folder.filePath else {
            throw TemplaterError(folder.absoluteString, .notAPath)
        }
        try await changing { old throws(TemplaterError) in
            let new = TemplateFolder(path: path)
            try new.create()
            guard new.resolved != old.resolved else { return }
            if let known = try new.templates().first {
                throw TemplaterError(path, .hasTemplates(known.method))
            }
            try move(from: old, to: new)
        }
    }

    private func move(
        from old: TemplateFolder, to new: TemplateFolder
    ) throws(TemplaterError) {
        var places = try places()
        places.next = new
        try places.save(in: base, home: home)
        do throws(TemplaterError) {
            for template in try old.templates() {
                checkpoint()
                try copy(template, from: old, to: new)
            }
            checkpoint()
            try TemplatePlaces(folder: new, previous: old).save(in: base, home: home)
        } catch {
            tidy()
            throw error
        }
        checkpoint()
        tidy()
    }

    private func copy(
        _ template: StoredTemplate, from old: TemplateFolder, to new: TemplateFolder
    ) throws(TemplaterError) {
        // Nil: another program has removed it meanwhile.
        guard let bytes = try old.read(template.method) else { return }
        try new.replaceTemplate(of: template.method, with: bytes)
        template.setTime(of: new.file(of: template.method))
    }

    /// Removes the copies that do not count after a move that has ended in any way. Errors are
    /// ignored, because they must not prevent other changes; the next change tries again.
    func tidy() {
        guard var places = try? places(), places.next != nil || places.previous != nil else {
            return
        }
        do throws(TemplaterError) {
            for folder in [places.next, places.previous].compactMap(\.self) {
                for template in try folder.templates() {
                    checkpoint()
                    try folder.removeTemplate(of: template.method)
                }
                try folder.removeTemporary()
                if folder != base { folder.removeIfEmpty() }
            }
            (places.next, places.previous) = (nil, nil)
            try places.save(in: base, home: home)
        } catch {}
    }
}

extension TemplateFolder {
    /// The path without symbolic links.
    fileprivate var resolved: String { URL(filePath: path).resolvingSymlinksInPath().path }
}
