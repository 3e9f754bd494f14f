/// The members of an object that a reader reads, in the order of their numbers: fields, and nested
/// objects that several fields may lead through.
package struct ReaderMembers {
    /// A field, or a nested object.
    package indirect enum Member {
        /// A field.
        case field(Field)
        /// A nested object. The flag is the variable that tells whether the object was there, if a
        /// field in it is required.
        case step(key: String, ReaderMembers, flag: String?)
    }

    /// The members, by their numbers; the one for further keys is the last.
    package private(set) var all: [Member]
    /// The paths of required fields, from this object.
    package private(set) var requiredPaths: [[String]]

    /// The beginning of the flags' names.
    package static let flag = "hasStep"

    /// The members of an object with these fields.
    package init(_ fields: [Field]) {
        var count = 0
        self.init(fields, depth: 0, &count)
    }

    private init(_ fields: [Field], depth: Int, _ count: inout Int) {
        let own = fields.filter { $0.steps.count == depth }
        all = own.filter { $0.isRequired && !$0.isAdditional }.map { .field($0) }
        all += own.filter { !$0.isRequired && !$0.isAdditional }.map { .field($0) }
        var keys: [String] = []
        for field in fields where field.steps.count > depth && !keys.contains(field.steps[depth]) {
            keys.append(field.steps[depth])
        }
        for key in keys {
            let inside = fields.filter { $0.steps.count > depth && $0.steps[depth] == key }
            var flag: String?
            if inside.contains(where: \.isRequired) {
                flag = Self.flag + String(count)
                count += 1
            }
            all.append(
                .step(key: key, ReaderMembers(inside, depth: depth + 1, &count), flag: flag))
        }
        all += own.filter(\.isAdditional).map { .field($0) }
        requiredPaths = fields.filter(\.isRequired).map { $0.steps.dropFirst(depth) + [$0.key] }
    }

    /// The flags of this object and of those inside it.
    package var flags: [String] {
        all.flatMap { member -> [String] in
            guard case .step(_, let inner, let flag) = member else { return [] }
            return (flag.map { [$0] } ?? []) + inner.flags
        }
    }

    // MARK: Keys

    /// The keys that an object must have.
    package var required: [String] { all.filter(\.isRequired).map(\.key) }
    /// The keys that it may have.
    package var optional: [String] { all.filter { !$0.isRequired && !$0.isAdditional }.map(\.key) }
    /// The keys whose null the reader consumes. A nested object that is null is missing.
    package var nullable: [String] { all.filter(\.isNullable).map(\.key) }
    /// The keys whose values never appear in violations.
    package var sensitive: [String] { all.filter(\.isSensitive).map(\.key) }
}

extension ReaderMembers.Member {
    /// The key in JSON.
    package var key: String {
        switch self {
        case .field(let field): field.key
        case .step(let key, _, _): key
        }
    }

    /// Whether it holds the members whose keys have no field.
    package var isAdditional: Bool { field?.isAdditional == true }
    fileprivate var isRequired: Bool { field?.isRequired == true }
    fileprivate var isSensitive: Bool { field?.isSensitive == true && !isAdditional }

    fileprivate var isNullable: Bool {
        field.map { $0.value.isNullable && !$0.keepsNull && !$0.isAdditional } ?? true
    }

    private var field: Field? {
        if case .field(let field) = self { field } else { nil }
    }
}
