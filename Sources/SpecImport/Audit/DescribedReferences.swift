import SpecDiagnostics
import SpecSyntax

/// Follows the references of a description, without reports: what leads nowhere has no target.
final class DescribedReferences {
    /// The longest chain of references that is followed.
    private static let longestChain = 50
    private var paths: [FileID: String] = [:]
    private var roots: [String: YAMLNode] = [:]
    /// The targets by their file and pointer.
    private var known: [String: YAMLNode] = [:]
    /// The members of large mappings.
    private var members: [Span: [String: YAMLNode]] = [:]

    init(_ files: [(file: SourceFile, root: YAMLNode)]) {
        for (file, root) in files {
            let path = Self.steps(file.path).joined(separator: "/")
            paths[file.id] = path
            roots[path] = root
        }
    }

    /// The node itself, or what its `$ref` leads to at last.
    func resolved(_ node: YAMLNode) -> YAMLNode { chain(node).last ?? node }

    /// The node, and what its `$ref` and those after it lead to.
    func chain(_ node: YAMLNode) -> [YAMLNode] {
        var chain = [node]
        while chain.count < Self.longestChain, let text = chain[chain.count - 1].value(of: "$ref"),
            let next = target(text)
        { chain.append(next) }
        return chain
    }

    /// What the text of a `$ref` leads to.
    func target(_ text: YAMLNode) -> YAMLNode? {
        guard text.kind == .scalar, let own = paths[text.span.file] else { return nil }
        let parts = text.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var path = own
        if let file = parts.first.map({ Self.unescaped(String($0)) }), !file.isEmpty {
            let folder = file.hasPrefix("/") ? [] : own.split(separator: "/").dropLast()
            path = Self.steps(folder.joined(separator: "/") + "/" + file).joined(separator: "/")
        }
        let pointer = parts.count > 1 ? Self.unescaped(String(parts[1])) : ""
        let key = path + "#" + pointer
        if let node = known[key] { return node }
        guard var node = roots[path] else { return nil }
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = member(name, of: node) else { return nil }
            node = next
        }
        known[key] = node
        return node
    }

    private func member(_ name: String, of node: YAMLNode) -> YAMLNode? {
        if node.kind == .sequence {
            return Int(name).flatMap { node.items.indices.contains($0) ? node.items[$0] : nil }
        }
        if members[node.span] == nil {
            members[node.span] = Dictionary(
                node.entries.map { ($0.key.text, $0.value) }, uniquingKeysWith: { $1 })
        }
        return members[node.span]?[name]
    }

    /// The steps of a path without `.` and `..`.
    private static func steps(_ path: String) -> [Substring] {
        path.split(separator: "/").reduce(into: []) { steps, step in
            if step == "..", let last = steps.last, last != ".." {
                steps.removeLast()
            } else if step != "." {
                steps.append(step)
            }
        }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(0x25) else { return text }
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() {
            let digits = String(decoding: part.utf8.prefix(2), as: UTF8.self)
            if digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) {
                bytes.append(byte)
                bytes += part.utf8.dropFirst(2)
            } else {
                bytes += [0x25] + part.utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
