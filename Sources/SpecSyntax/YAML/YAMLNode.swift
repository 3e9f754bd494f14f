import SpecDiagnostics

/// A value of a YAML file: a lightweight handle into its document.
///
/// A scalar is text. The accessors (``boolean``, ``integer``, …) interpret it, so that `no`, `1.10`
/// and `0123` stay as written. An alias `*a` reads as its target; its ``span`` is that of the
/// alias.
public struct YAMLNode: Sendable {
    /// The kind of a node.
    public enum Kind: UInt8, Sendable {
        /// A text, quoted or not; an absent value is a plain, empty one.
        case scalar
        /// A list.
        case sequence
        /// Keys with values.
        case mapping
    }

    let document: YAMLDocument
    /// The record at this place; an alias has one of its own.
    let place: Int32
    /// The record of the value, which is `place` unless that is an alias.
    let value: Int32

    init(_ document: YAMLDocument, _ place: Int32) {
        self.document = document
        self.place = place
        let record = document.records[Int(place)]
        value = record.isAlias ? record.first : place
    }

    private var record: YAMLRecord { document.records[Int(value)] }

    /// The source span: of a scalar with its quotes, of a collection from its first to its last
    /// child (or its brackets), without anchors and tags. An absent value has an empty span.
    public var span: Span {
        let record = document.records[Int(place)]
        return Span(file: document.file, start: record.start, end: record.end)
    }

    /// The kind of the value.
    public var kind: Kind { record.kind }

    /// Whether the node is an alias `*name`.
    public var isAlias: Bool { place != value }

    /// The text of a scalar, escapes resolved and lines folded; empty for a collection.
    public var text: String {
        let record = record
        return record.kind == .scalar ? document.texts[Int(record.first)] : ""
    }

    /// Whether the value is a scalar without quotes, and not a block (`|`, `>`).
    public var isPlain: Bool { record.kind == .scalar && record.isPlain }

    /// Whether ``text`` equals the source at ``span``, so that their offsets correspond: a plain
    /// scalar on one line.
    public var isVerbatim: Bool { record.isVerbatim && !isAlias }

    /// The elements of a sequence, in order; empty for other kinds.
    public var items: [YAMLNode] {
        let record = record
        guard record.kind == .sequence else { return [] }
        var items: [YAMLNode] = []
        items.reserveCapacity(Int(record.count))
        var index = record.first
        while index < record.first + record.count {
            items.append(child(index))
            index += 1
        }
        return items
    }

    /// The keys and values of a mapping, in order; empty for other kinds. Keys are unique scalars;
    /// the reader reports and drops others.
    public var entries: [YAMLEntry] {
        let record = record
        guard record.kind == .mapping else { return [] }
        var entries: [YAMLEntry] = []
        entries.reserveCapacity(Int(record.count / 2))
        var index = record.first
        while index < record.first + record.count {
            entries.append(YAMLEntry(key: child(index), value: child(index + 1)))
            index += 2
        }
        return entries
    }

    /// The value of a key of a mapping, without making all entries.
    package func value(of key: String) -> YAMLNode? {
        let record = record
        guard record.kind == .mapping else { return nil }
        var index = record.first
        while index < record.first + record.count {
            if child(index).text == key { return child(index + 1) }
            index += 2
        }
        return nil
    }

    private func child(_ index: Int32) -> YAMLNode {
        YAMLNode(document, document.children[Int(index)])
    }
}

/// A key of a mapping with its value.
public struct YAMLEntry: Sendable {
    /// The key, always a scalar.
    public let key: YAMLNode
    /// The value; a plain, empty scalar if nothing is written.
    public let value: YAMLNode
}
