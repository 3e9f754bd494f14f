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
    /// The references that lead nowhere, with their places.
    private(set) var dangling: [(text: String, span: Span)] = []

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

    /// What the text of a `$ref` leads to. A reference that leads nowhere is kept in ``dangling``; one
    /// to a file that is missing is an error, since the file can be named.
    func reference(_ node: YAMLNode) -> Reference? {
        switch lookup(node.text, from: node.span.file) {
        case .found(let reference): return reference
        case .nothing: dangling.append((String(node.text.prefix(200)), node.span))
        case .missingFile(let path):
            bag.report(
                .outsideReference, "`\(path)` is not among the files", at: node.span,
                help: "name it on the command line, too")
        }
        return nil
    }

    /// What a text in a file leads to; nil if it leads nowhere, which is not reported.
    func target(of text: String, from file: FileID) -> Reference? {
        if case .found(let reference) = lookup(text, from: file) { reference } else { nil }
    }

    private enum Lookup {
        case found(Reference)
        case nothing
        case missingFile(String)
    }

    private func lookup(_ text: String, from file: FileID) -> Lookup {
        let own = files[file] ?? ""
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? own : Self.joined(own, Self.unescaped(String(parts[0])))
        let pointer = parts.count > 1 ? Self.unescaped(String(parts[1])) : ""
        let key = path + "#" + pointer
        if let known = cache[key] { return .found(known) }
        // Nothing is loaded from servers.
        if parts[0].contains("://") { return .nothing }
        guard let root = roots[path] else { return .missingFile(path) }
        guard let found = node(at: pointer, of: root, path) else { return .nothing }
        let step = Self.steps(pointer).last
        let stem = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
        let reference = Reference(key: key, name: step ?? stem ?? "", node: found)
        cache[key] = reference
        return .found(reference)
    }

    /// The schemas that all files declare by name.
    var namedSchemas: [Reference] {
        roots.sorted { $0.key < $1.key }.flatMap { path, root -> [Reference] in
            let lists = [
                ("/components/schemas/", root.value(of: "components")?.value(of: "schemas")),
                ("/definitions/", root.value(of: "definitions")),
            ]
            return lists.flatMap { pointer, list in
                (list?.entries ?? []).map { entry in
                    let step = entry.key.text.replacing("~", with: "~0").replacing("/", with: "~1")
                    return Reference(
                        key: path + "#" + pointer + step, name: entry.key.text, node: entry.value)
                }
            }
        }
    }

    /// The schemas that the files declare for all.
    var components: [Reference] {
        roots.flatMap { path, root in
            [["components", "schemas"], ["definitions"], ["$defs"]].flatMap { steps in
                let node = steps.reduce(root as YAMLNode?) { $0?.value(of: $1) }
                return (node?.entries ?? []).map { entry in
                    let name = entry.key.text
                    let step = name.replacing("~", with: "~0").replacing("/", with: "~1")
                    let key = "\(path)#/\(steps.joined(separator: "/"))/\(step)"
                    return Reference(key: key, name: name, node: entry.value)
                }
            }
        }
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
            $0.utf8.contains(0x7E)
                ? String($0).replacing("~1", with: "/").replacing("~0", with: "~") : String($0)
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

    /// The folder of a file, with a slash at its end; empty for the current one.
    static func folder(of path: String) -> String {
        let path = normalized(path)
        return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// The paths of the local files to which a file refers.
    static func paths(in root: YAMLNode, of file: SourceFile) -> Set<String> {
        var paths: Set<String> = []
        var open = [root]
        // An alias repeats what stands elsewhere.
        while let node = open.popLast() {
            if node.isAlias { continue }
            open += node.items
            for entry in node.entries {
                let text = entry.value.text
                if entry.key.text == "$ref", text.first != "#", !text.isEmpty,
                    !text.contains("://")
                {
                    let path = unescaped(String(text.prefix { $0 != "#" }))
                    paths.insert(joined(file.path, path))
                }
                if entry.value.kind != .scalar { open.append(entry.value) }
            }
        }
        return paths
    }

    private static func joined(_ file: String, _ path: String) -> String {
        if path.hasPrefix("/") { return normalized(path) }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return normalized((folder.map(String.init) + [path]).joined(separator: "/"))
    }

    /// The path without `.` and `..`.
    static func normalized(_ path: String) -> String {
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
