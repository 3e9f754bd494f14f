import SpecDiagnostics
import SpecSyntax

/// What a `$ref` leads to.
struct Reference: Hashable, Sendable {
    /// The file and the pointer, normalised: two references are equal if they lead to one place.
    let key: String
    /// The name that the place has: the last step of the pointer, or the file's.
    let name: String
    let node: YAMLNode

    static func == (left: Reference, right: Reference) -> Bool { left.key == right.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// The files of a description, which refer to each other with `$ref`.
final class DescriptionFiles {
    private let files: [FileID: String]
    private let roots: [String: YAMLNode]
    private var cache: [String: Reference] = [:]
    private var containers: [String: [String: YAMLNode]] = [:]
    private(set) var bag = DiagnosticBag()

    init(_ files: [(file: SourceFile, root: YAMLNode)]) {
        self.files = Dictionary(
            files.map { ($0.file.id, Self.normalized($0.file.path)) }, uniquingKeysWith: { $1 })
        roots = Dictionary(
            files.map { (Self.normalized($0.file.path), $0.root) }, uniquingKeysWith: { $1 })
    }

    /// Reports an `x-telex` that says nothing.
    func report(badExtension message: String, at span: Span, help: String) {
        bag.report(.badExtension, message, at: span, help: help)
    }

    /// The node itself, or what its `$ref` leads to, through references to references.
    func resolved(_ node: YAMLNode) -> YAMLNode {
        var node = node
        for _ in 0..<50 {
            guard let next = reference(of: node) else { return node }
            node = next.node
        }
        return node
    }

    /// What the `$ref` of a node leads to; nil without one, and where it leads nowhere, which is
    /// reported.
    func reference(of node: YAMLNode) -> Reference? {
        guard node.kind == .mapping, let text = node.value(of: "$ref"), text.kind == .scalar else {
            return nil
        }
        return reference(text)
    }

    /// What the text of a `$ref` leads to.
    func reference(_ node: YAMLNode) -> Reference? {
        let own = files[node.span.file] ?? ""
        let parts = node.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? own : Self.joined(own, Self.unescaped(String(parts[0])))
        let pointer = parts.count > 1 ? Self.unescaped(String(parts[1])) : ""
        let key = path + "#" + pointer
        if let known = cache[key] { return known }
        guard let root = roots[path], !parts[0].contains("://") else {
            let isRemote = parts[0].contains("://")
            bag.report(
                .outsideReference,
                isRemote ? "a file on a server is not read" : "`\(path)` is not among the files",
                at: node.span,
                help: isRemote
                    ? "download it, name it on the command line, and refer to the file"
                    : "name it on the command line, too")
            return nil
        }
        guard let found = self.node(at: pointer, of: root, path) else {
            bag.report(
                .unknownReference, "nothing is at `\(node.text.prefix(200))`", at: node.span,
                help: "correct the reference, or add what is missing")
            return nil
        }
        let step = Self.steps(pointer).last
        let stem = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        let reference = Reference(key: key, name: step ?? stem ?? "", node: found)
        cache[key] = reference
        return reference
    }

    // MARK: Pointers

    /// The node at a JSON pointer (RFC 6901).
    private func node(at pointer: String, of root: YAMLNode, _ path: String) -> YAMLNode? {
        if pointer.isEmpty || pointer == "/" { return root }
        guard pointer.first == "/" else { return nil }
        var steps = Self.steps(pointer)
        guard let last = steps.popLast() else { return root }
        let outer = path + "#" + steps.joined(separator: "\0")
        if let known = containers[outer] { return known[last] }
        var node = root
        for step in steps {
            guard let next = Self.child(step, of: node) else { return nil }
            node = next
        }
        guard node.kind == .mapping else { return Self.child(last, of: node) }
        let children = Dictionary(
            node.entries.map { ($0.key.text, $0.value) }, uniquingKeysWith: { first, _ in first })
        if children.count > 16 { containers[outer] = children }
        return children[last]
    }

    private static func child(_ step: String, of node: YAMLNode) -> YAMLNode? {
        switch node.kind {
        case .scalar: nil
        case .mapping: node.value(of: step)
        case .sequence:
            Int(step).flatMap { node.items.indices.contains($0) ? node.items[$0] : nil }
        }
    }

    private static func steps(_ pointer: String) -> [String] {
        pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    /// The text with its percent escapes resolved (RFC 3986 §2.1).
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(0x25) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == 0x25, digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Paths

    private static func joined(_ file: String, _ path: String) -> String {
        if path.hasPrefix("/") { return normalized(path) }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return normalized((folder.map(String.init) + [path]).joined(separator: "/"))
    }

    /// The path without `.` and `..`.
    private static func normalized(_ path: String) -> String {
        var steps: [Substring] = []
        for step in path.split(separator: "/", omittingEmptySubsequences: false) {
            if step == ".", path != "." { continue }
            if step == "..", let last = steps.last, last != "..", !last.isEmpty {
                steps.removeLast()
            } else {
                steps.append(step)
            }
        }
        return steps.joined(separator: "/")
    }
}
