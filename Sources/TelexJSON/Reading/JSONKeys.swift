/// The keys of an object model. Fields are numbered: the required ones first, then the optional.
///
/// Any number of fields is fine. Create it once (a `static let`): a reader also learns the order in
/// which a document has the keys.
public struct JSONKeys: Sendable {
    let table: JSONKeyTable

    /// Creates the keys of a model.
    ///
    /// - Parameters:
    ///   - required: keys that an object must have.
    ///   - optional: keys that it may have.
    ///   - nullable: those whose value may be null; null is then consumed by the reader.
    ///   - sensitive: those whose values never appear in violations.
    ///   - closed: whether any other key is a violation.
    public init(
        required: [String], optional: [String] = [], nullable: [String] = [],
        sensitive: [String] = [], closed: Bool = false
    ) {
        table = JSONKeyTable(
            names: required + optional, required: required.count, nullable: Set(nullable),
            sensitive: Set(sensitive), isClosed: closed)
    }
}

/// The immutable table behind `JSONKeys`.
final class JSONKeyTable: Sendable {
    /// That of the literals that it was made from; zero if it was made from none.
    let identity: SIMD4<UInt64>
    let names: [String]
    let required: Int
    let sensitive: Set<String>
    let isSensitive: [Bool]
    let isClosed: Bool
    /// Safe to share: its memory is written before the initializer ends, and never again.
    nonisolated(unsafe) let index: JSONKeyIndex  // written before it is shared

    init(
        names: [String], required: Int, nullable: Set<String>, sensitive: Set<String>,
        isClosed: Bool, identity: SIMD4<UInt64> = .zero
    ) {
        self.identity = identity
        self.names = names
        self.required = required
        self.isClosed = isClosed
        self.sensitive = sensitive
        isSensitive = names.map(sensitive.contains)
        index = JSONKeyIndex(names, nullable: nullable)
    }

    deinit {
        index.deallocate()
    }
}
