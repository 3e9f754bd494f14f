import SpecDiagnostics
import TelexCompiler

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

/// The parts of requests and answers that several features have.
extension Workspace {
    /// The spec of the document that a request is about; nil for other files.
    mutating func spec(
        _ params: JSONTree
    ) throws(Refusal) -> (snapshot: SpecSnapshot, path: String)? {
        spec(of: try params["textDocument"].required("uri", \.text))
    }

    /// The place that a request is about; nil outside of specs.
    mutating func cursor(_ params: JSONTree) throws(Refusal) -> Cursor? {
        guard let (snapshot, path) = try spec(params), let file = snapshot.file(path) else {
            return nil
        }
        let unit = encoding
        let offset = try params.required("position") { unit.offset(of: $0, in: file) }
        return Cursor(snapshot: snapshot, path: path, file: file, offset: offset)
    }

    /// The place of a symbol's name, or of a part that belongs to it.
    func location(of span: Span, in snapshot: SpecSnapshot) -> JSONTree? {
        snapshot.place(of: span).map { location($0.range, in: $0.file) }
    }

    func location(_ range: Range<Int>, in file: SourceFile) -> JSONTree {
        ["uri": .text(uri(of: file.path)), "range": encoding.range(of: range, in: file)]
    }

    /// Edits of a document. They name the version that they are for, so that a client refuses them
    /// when the text has changed meanwhile.
    func change(_ file: SourceFile, _ edits: [FileEdit]) -> JSONTree {
        let document: JSONTree = [
            "uri": .text(uri(of: file.path)),
            "version": version(of: file.path).map { .number($0) } ?? .null,
        ]
        let edits = edits.map { edit -> JSONTree in
            ["range": encoding.range(of: edit.range, in: file), "newText": .text(edit.text)]
        }
        return ["textDocument": document, "edits": .list(edits)]
    }
}
