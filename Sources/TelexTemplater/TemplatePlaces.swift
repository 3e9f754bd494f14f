import TelexJSON

/// Where the templates are. Kept in a file of the default folder, so that it is known to all
/// processes and after the end of this one.
struct TemplatePlaces: Sendable {
    /// The folder of the templates.
    var folder: TemplateFolder
    /// The folder that a move is filling, whose templates count only when it has ended.
    var next: TemplateFolder?
    /// The folder that a move has left, whose templates no longer count.
    var previous: TemplateFolder?

    fileprivate static let fileName = ".places.json"
}

extension TemplatePlaces {
    /// Reads the places.
    ///
    /// - Parameters:
    ///   - base: The default folder.
    ///   - home: The path of the home folder. Paths in it are stored relative to it, with `~`,
    ///     because some systems give the container of an app another path at each launch.
    init(in base: TemplateFolder, home: String) throws(TemplaterError) {
        folder = base
        guard let bytes = try base.readFile(Self.fileName) else { return }
        let places = try? [String: String](json: bytes).mapValues { path in
            TemplateFolder(path: path.hasPrefix("~") ? home + path.dropFirst() : path)
        }
        guard let places, let folder = places["folder"] else {
            throw TemplaterError(
                base.file(named: Self.fileName),
                .corrupt("it tells which folder has the templates, and is damaged"))
        }
        (self.folder, next, previous) = (folder, places["next"], places["previous"])
    }

    /// Writes the places; another process sees all of them or none.
    func save(in base: TemplateFolder, home: String) throws(TemplaterError) {
        let folders = ["folder": folder, "next": next, "previous": previous]
        var json = JSONWriter()
        json.value(
            folders.compactMapValues(\.?.path).mapValues { path in
                path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
            })
        try base.replaceFile(Self.fileName, with: json.bytes)
    }
}
