import SpecDiagnostics
import SpecSyntax

/// A value of the compiler as an indented tree, without absent and empty members.
struct TreeText {
    private var lines: [String] = []
    private let sources: SourceMap

    /// The tree; every line ends in a line break.
    var text: String { lines.map { $0 + "\n" }.joined() }

    init(_ value: Any, in sources: SourceMap) {
        self.sources = sources
        add(value, name: "\(type(of: value))", depth: 0)
    }

    private mutating func add(_ value: Any, name: String, depth: Int) {
        guard let value = Self.present(value) else { return }
        if let word = word(value) { return line(depth, "\(name): \(word)") }
        let mirror = Mirror(reflecting: value)
        if let place = place(mirror), let inner = mirror.descendant("value"),
            let word = word(inner) ?? Self.rawWord(inner)
        {
            return line(depth, "\(name): \(word)  @\(place)")
        }
        switch mirror.displayStyle {
        case .collection: addItems(Array(mirror.children), name: name, depth: depth)
        case .set:
            // In an order that does not change from run to run.
            let items = mirror.children.sorted { "\($0.value)" < "\($1.value)" }
            addItems(items, name: name, depth: depth)
        case .enum: addCase(value, mirror: mirror, name: name, depth: depth)
        default: addMembers(mirror, name: name, depth: depth)
        }
    }

    private mutating func line(_ depth: Int, _ words: String) {
        lines.append(String(repeating: "  ", count: depth) + words)
    }

    private mutating func addItems(_ items: [Mirror.Child], name: String, depth: Int) {
        if items.isEmpty { return }
        line(depth, name)
        for item in items { add(item.value, name: "-", depth: depth + 1) }
    }

    private mutating func addCase(_ value: Any, mirror: Mirror, name: String, depth: Int) {
        guard let child = mirror.children.first else { return line(depth, "\(name): \(value)") }
        add(child.value, name: "\(name): \(child.label ?? "")", depth: depth)
    }

    private mutating func addMembers(_ mirror: Mirror, name: String, depth: Int) {
        let place = place(mirror)
        line(depth, name + (place.map { "  @\($0)" } ?? ""))
        let count = lines.count
        for member in mirror.children where !(member.value is Span) {
            add(member.value, name: member.label ?? "-", depth: depth + 1)
        }
        if lines.count == count, place == nil { lines.removeLast() }
    }

    /// `line:column` of a value with a span.
    private func place(_ mirror: Mirror) -> String? {
        guard let span = mirror.descendant("span") as? Span else { return nil }
        let position = sources.position(of: span)
        return "\(position.line):\(position.column)"
    }

    /// The value as one word; nil if it has members.
    private func word(_ value: Any) -> String? {
        switch value {
        case let node as YAMLNode: sources[node.span.file].text(of: node.span).debugDescription
        case let text as String: text.debugDescription
        case let span as Span: sources.place(of: span)
        case is any Numeric, is Bool, is ClosedRange<Int>: "\(value)"
        case let list as [String]: list.isEmpty ? nil : list.debugDescription
        default: nil
        }
    }

    /// The word of an enumeration of words; nil for other values.
    private static func rawWord(_ value: Any) -> String? {
        (value as? any RawRepresentable<String>)?.rawValue.debugDescription
    }

    /// The value inside optionals; nil if there is none.
    private static func present(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { present($0.value) }
    }
}
