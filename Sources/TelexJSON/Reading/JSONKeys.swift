/// What a reader does with a key that a model does not have.
public enum JSONUnknownKeys: UInt8, Sendable {
    /// Skips its value.
    case skipped
    /// Skips its value and records a violation of the rule `closed`.
    case refused
    /// Reports it as the field after the last one; ``JSONReader/additional(_:_:)`` reads its value.
    case kept
    /// As `kept`; the value never appears in violations.
    case keptSensitive
}

/// The keys of an object model. Fields are numbered: required ones first, then optional ones.
///
/// The number of fields is not limited. Create the keys once (a `static let`): a reader recognizes
/// them by identity and learns the order in which a document has them.
public struct JSONKeys: Sendable {
    let table: JSONKeyTable

    /// Creates the keys of a model.
    ///
    /// - Parameters:
    ///   - required: keys that an object must have.
    ///   - optional: keys that it may have.
    ///   - nullable: keys whose value may be null; the reader then consumes the null.
    ///   - sensitive: keys whose values never appear in violations.
    ///   - unknown: what happens to any other key.
    public init(
        required: [String], optional: [String] = [], nullable: [String] = [],
        sensitive: [String] = [], unknown: JSONUnknownKeys = .skipped
    ) {
        table = JSONKeyTable(
            names: required + optional, required: required.count, nullable: Set(nullable),
            sensitive: Set(sensitive), unknown: unknown)
    }
}

/// The table behind `JSONKeys`.
final class JSONKeyTable: Sendable {
    /// The identity of the literals behind the table; zero if it was not made from literals.
    let identity: SIMD4<UInt64>
    let names: [String]
    let required: Int
    let sensitive: Set<String>
    /// Of each field, and of the values of kept keys.
    let isSensitive: [Bool]
    let unknown: JSONUnknownKeys
    nonisolated(unsafe) let shape =  // what changes in it is atomic or behind a lock
        UnsafeMutablePointer<JSONShape>.allocate(capacity: 1)

    init(
        names: [String], required: Int, nullable: Set<String>, sensitive: Set<String>,
        unknown: JSONUnknownKeys, identity: SIMD4<UInt64> = .zero
    ) {
        self.identity = identity
        self.names = names
        self.required = required
        self.unknown = unknown
        self.sensitive = sensitive
        isSensitive = names.map(sensitive.contains) + [unknown == .keptSensitive]
        shape.initialize(to: JSONShape(self, nullable: nullable))
    }

    deinit {
        shape.pointee.deallocate()
        shape.deallocate()
    }
}
