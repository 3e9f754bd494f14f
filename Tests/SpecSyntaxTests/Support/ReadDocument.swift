import SpecDiagnostics
import SpecSyntax

/// The result of reading one file.
struct ReadDocument {
    let sources: SourceMap
    let file: SourceFile
    let root: YAMLNode?
    let bag: DiagnosticBag

    init(_ bytes: [UInt8], path: String = "api.yaml") {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        file = sources.add(path: path, bytes: bytes)
        root = YAMLReader.read(file, into: &bag)
        self.sources = sources
        self.bag = bag
    }

    init(_ text: String) {
        self.init(Array(text.utf8))
    }

    var codes: [String] { bag.all.map(\.code.id) }

    /// `line:column code` of each diagnostic.
    var places: [String] {
        bag.all.map { diagnostic in
            let position = sources.position(of: diagnostic.span)
            return "\(position.line):\(position.column) \(diagnostic.code.id)"
        }
    }

    /// The tree, one node per line: span, kind and text.
    var tree: String { root.map { dump($0, "") } ?? "" }

    private func dump(_ node: YAMLNode, _ indent: String) -> String {
        let inner = indent + "  "
        var text = indent + line(node) + "\n"
        for item in node.items { text += dump(item, inner) }
        for entry in node.entries {
            text += inner + "key " + line(entry.key) + "\n"
            text += dump(entry.value, inner + "  ")
        }
        return text
    }

    private func line(_ node: YAMLNode) -> String {
        let start = file.position(of: Int(node.span.start))
        let end = file.position(of: Int(node.span.end))
        var words = ["\(start.line):\(start.column)-\(end.line):\(end.column)", "\(node.kind)"]
        if node.isAlias { words.append("alias") }
        if node.isPlain { words.append(node.isVerbatim ? "verbatim" : "plain") }
        if node.kind == .scalar { words.append(node.text.debugDescription) }
        return words.joined(separator: " ")
    }
}
