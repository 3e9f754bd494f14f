import SpecDiagnostics

/// Says which lines belong together: what is indented below a line, and comments. It reads no YAML, so
/// that it works for a text with mistakes, too.
enum FoldingFeature: Feature {
    struct Fold: Encodable {
        let startLine: Int
        let endLine: Int
        let kind: String
    }

    static let method = "textDocument/foldingRange"
    static let capabilities: [String: JSONTree] = ["foldingRangeProvider": true]

    static func answer(_ params: WholeDocument, _ workspace: inout Workspace) -> [Fold] {
        guard let (snapshot, path) = workspace.spec(of: params.textDocument.uri),
            let file = snapshot.file(path)
        else { return [] }
        return folds(of: file)
    }

    private static func folds(of file: SourceFile) -> [Fold] {
        var folds: [Fold] = []
        // The lines that may still get further ones below them.
        var open: [(line: Int, indentation: Int)] = []
        var lastLine = -1
        var comment: Int?
        func close(above indentation: Int) {
            while let last = open.last, last.indentation >= indentation {
                if lastLine > last.line {
                    folds.append(Fold(startLine: last.line, endLine: lastLine, kind: "region"))
                }
                open.removeLast()
            }
        }
        for line in 0..<file.lineCount {
            let bytes = file.bytes[file.lineRange(line + 1)]
            guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
            let isComment = bytes[first] == UInt8(ascii: "#")
            if !isComment, let start = comment, lastLine > start {
                folds.append(Fold(startLine: start, endLine: lastLine, kind: "comment"))
            }
            comment = isComment ? comment ?? line : nil
            close(above: first - bytes.startIndex)
            lastLine = line
            if !isComment { open.append((line, first - bytes.startIndex)) }
        }
        close(above: 0)
        return folds.sorted { ($0.startLine, $0.endLine) < ($1.startLine, $1.endLine) }
    }
}
