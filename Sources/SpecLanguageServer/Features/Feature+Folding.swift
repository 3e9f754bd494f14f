import SpecDiagnostics

extension Feature {
    /// Says which lines belong together: what is indented below a line, and comments. It reads no
    /// YAML, so that it works for a text with mistakes, too.
    static var folding: Feature {
        Feature(
            method: "textDocument/foldingRange", capabilities: ["foldingRangeProvider": true]
        ) { params, workspace throws(Refusal) in
            guard let (snapshot, path) = try workspace.spec(params),
                let file = snapshot.file(path)
            else { return [] }
            return .list(folds(of: file))
        }
    }

    private static func folds(of file: SourceFile) -> [JSONTree] {
        var folds: [JSONTree] = []
        // The lines that may still get further ones below them.
        var open: [(line: Int, indentation: Int)] = []
        var (lastLine, comment) = (-1, Int?.none)
        func fold(_ start: Int, _ kind: JSONTree) {
            guard lastLine > start else { return }
            folds.append(["startLine": .number(start), "endLine": .number(lastLine), "kind": kind])
        }
        for line in 0...file.lineCount {
            // The end of the file closes what is open.
            let bytes = line < file.lineCount ? file.bytes[file.lineRange(line + 1)] : [0]
            guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else {
                continue
            }
            let indentation = first - bytes.startIndex
            let isComment = bytes[first] == UInt8(ascii: "#")
            if !isComment, let start = comment { fold(start, "comment") }
            comment = isComment ? comment ?? line : nil
            while let last = open.last, last.indentation >= indentation {
                fold(open.removeLast().line, "region")
            }
            lastLine = line
            if !isComment { open.append((line, indentation)) }
        }
        return folds
    }
}
