extension JSONWriter {
    // MARK: Maps

    /// Writes an object whose keys are data, sorted by their bytes.
    ///
    /// - Parameter value: writes one value after its key.
    @inlinable
    public mutating func map<K: JSONMapKey, V>(
        _ values: [K: V], _ value: (inout JSONWriter, V) -> Void
    ) {
        beginObject()
        // Places, because sorting moves elements often, and values may be large.
        let members = values.indices.map { (key: values[$0].key.jsonKey, place: $0) }
        for member in members.sorted(by: { $0.key < $1.key }) {
            key(member.key)
            value(&self, values[member.place].value)
        }
        endObject()
    }

    /// Writes the further members of an open model, sorted by the bytes of their keys. A key that
    /// the model has a field for violates the rule `additional`, and is left out.
    ///
    /// - Parameters:
    ///   - keys: the keys of the model's fields.
    ///   - sensitive: whether the values never appear in violations.
    ///   - value: writes one value after its key.
    @inlinable
    public mutating func additional<V>(
        _ values: [String: V], besides keys: [String], sensitive: Bool = false,
        _ value: (inout JSONWriter, V) -> Void
    ) {
        for member in values.sorted(by: { $0.key < $1.key })
        where accepts(additional: member.key, besides: keys) {
            key(member.key, sensitive: sensitive)
            value(&self, member.value)
        }
    }

    /// Writes the further members of an open model; see ``additional(_:besides:sensitive:_:)``.
    @inlinable
    public mutating func additional<V: JSONWritable>(
        _ values: [String: V], besides keys: [String], sensitive: Bool = false
    ) {
        additional(values, besides: keys, sensitive: sensitive) { $1.write(to: &$0) }
    }

    /// Whether a key is none of the model's fields; reports it otherwise.
    @usableFromInline
    mutating func accepts(additional key: String, besides keys: [String]) -> Bool {
        guard keys.contains(where: key.isExactly) else { return true }
        omit(text: key)
        report(
            Violation(
                path: path, rule: "additional", expected: "a key without a field of its own",
                found: "the key of a field"))
        return false
    }

    // MARK: Other spellings

    /// Writes text, for `.int` as a number; then text that is not a number is a violation.
    public mutating func value(_ text: String, as form: JSONSource) {
        form == .int ? number(text) : value(text)
    }

    /// Writes an integer, for `.string` as text.
    public mutating func value(_ value: Int, as form: JSONSource) {
        form == .string ? self.value(value.description) : self.value(value)
    }

    /// Writes an integer, for `.string` as text.
    public mutating func value(_ value: Int32, as form: JSONSource) {
        self.value(Int(value), as: form)
    }

    /// Writes an integer, for `.string` as text.
    public mutating func value(_ value: UInt, as form: JSONSource) {
        form == .string ? self.value(value.description) : self.value(value)
    }

    /// Writes a number, for `.string` as text with the same digits as in JSON. For `.string` and
    /// `.either`, a value that is not finite is the text `NaN`, `Infinity` or `-Infinity`.
    public mutating func value(_ value: Double, as form: JSONSource) {
        guard value.isFinite || form == .native || form == .int else {
            return self.value(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
        }
        guard form == .string else { return self.value(value) }
        var digits = JSONWriter()
        digits.value(value)
        self.value(String(decoding: digits.bytes, as: UTF8.self))
    }

    /// Writes a Boolean as 1 or 0 for `.int`, as text for `.string`.
    public mutating func value(_ value: Bool, as form: JSONSource) {
        switch form {
        case .int: self.value(value ? 1 : 0)
        case .string: self.value(value ? "true" : "false")
        case .native, .either: self.value(value)
        }
    }

    /// Writes a Boolean as one of two texts.
    public mutating func value(_ value: Bool, true yes: String, false no: String) {
        self.value(value ? yes : no)
    }

    /// Writes a member with text as a number; writes nothing for nil.
    public mutating func field(
        _ key: StaticString, _ value: String?, as form: JSONSource, sensitive: Bool = false
    ) {
        member(key, value, sensitive) { $0.value($1, as: form) }
    }

    /// Writes a member with an integer as text; writes nothing for nil.
    public mutating func field(
        _ key: StaticString, _ value: Int?, as form: JSONSource, sensitive: Bool = false
    ) {
        member(key, value, sensitive) { $0.value($1, as: form) }
    }

    /// Writes a member with an integer as text; writes nothing for nil.
    public mutating func field(
        _ key: StaticString, _ value: Int32?, as form: JSONSource, sensitive: Bool = false
    ) {
        field(key, value.map(Int.init), as: form, sensitive: sensitive)
    }

    /// Writes a member with an integer as text; writes nothing for nil.
    public mutating func field(
        _ key: StaticString, _ value: UInt?, as form: JSONSource, sensitive: Bool = false
    ) {
        member(key, value, sensitive) { $0.value($1, as: form) }
    }

    /// Writes a member with a number as text; writes nothing for nil.
    public mutating func field(
        _ key: StaticString, _ value: Double?, as form: JSONSource, sensitive: Bool = false
    ) {
        member(key, value, sensitive) { $0.value($1, as: form) }
    }

    /// Writes a member with a Boolean as 1 or 0, or as text; writes nothing for nil.
    public mutating func field(
        _ key: StaticString, _ value: Bool?, as form: JSONSource, sensitive: Bool = false
    ) {
        member(key, value, sensitive) { $0.value($1, as: form) }
    }

    private mutating func member<T>(
        _ key: StaticString, _ value: T?, _ sensitive: Bool, _ write: (inout JSONWriter, T) -> Void
    ) {
        guard let value else { return omit(key, sensitive) }
        self.key(literal: key, sensitive)
        write(&self, value)
    }
}
