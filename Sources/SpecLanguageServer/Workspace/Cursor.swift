import SpecDiagnostics

/// A place in a document of a spec that a request is about.
struct Cursor {
    let snapshot: SpecSnapshot
    let path: String
    let file: SourceFile
    /// The byte offset in the text as it is now.
    let offset: Int

    /// What is named here.
    var occurrence: Occurrence? { snapshot.occurrence(at: offset, of: path) }
}

extension Workspace {
    /// The place of a request; nil outside of specs.
    mutating func cursor(_ place: DocumentPosition) -> Cursor? {
        guard let (snapshot, path) = spec(of: place.textDocument.uri),
            let file = snapshot.file(path)
        else { return nil }
        let offset = encoding.offset(of: place.position, in: file)
        return Cursor(snapshot: snapshot, path: path, file: file, offset: offset)
    }

    /// The place of a symbol's name, or of a part that belongs to it.
    func location(of span: Span, in snapshot: SpecSnapshot) -> Location? {
        snapshot.place(of: span).map { place in
            Location(
                uri: uri(of: place.file.path), range: encoding.range(of: place.range, in: place.file))
        }
    }
}
