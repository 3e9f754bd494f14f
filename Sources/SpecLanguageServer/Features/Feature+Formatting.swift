import SpecDiagnostics
import SpecFormatting
import SpecSyntax

extension Feature {
    /// Writes a file in its one form, as `telex fmt` does. A file with mistakes of YAML stays as it is.
    static var formatting: Feature {
        Feature(
            method: "textDocument/formatting", capabilities: ["documentFormattingProvider": true]
        ) { params, workspace throws(Refusal) in
            guard let (snapshot, path) = try workspace.spec(params),
                let file = snapshot.file(path),
                let name = snapshot.folder.files.first(where: { $0.shownPath == path })?
                    .relativePath
            else { return [] }
            var bag = DiagnosticBag()
            let text = SpecFormatter.format(file, as: JSONSchema(ofFile: name), into: &bag)
            guard let text, !text.utf8.elementsEqual(file.bytes) else { return [] }
            let whole = workspace.encoding.range(of: 0..<file.bytes.count, in: file)
            return [["range": whole, "newText": .text(text)]]
        }
    }
}
