import SpecDiagnostics

/// One node in flat storage.
struct YAMLRecord: Sendable {
    var kind: YAMLNode.Kind
    var isPlain = false
    /// Whether a scalar's text equals the source at its span.
    var isVerbatim = false
    var isAlias = false
    /// The UTF-8 offsets of the span.
    var start: Int32
    var end: Int32
    /// A scalar's text, a collection's first child, an alias's target.
    var first: Int32
    /// The number of children, counting keys and values.
    var count: Int32 = 0
}

/// The immutable content of one file: all nodes in one array, all texts in another.
final class YAMLDocument: Sendable {
    let file: FileID
    let records: [YAMLRecord]
    let children: [Int32]
    let texts: [String]

    init(file: FileID, records: [YAMLRecord], children: [Int32], texts: [String]) {
        self.file = file
        self.records = records
        self.children = children
        self.texts = texts
    }
}
