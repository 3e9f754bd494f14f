/// A value with a function that writes it, for values whose JSON form does not follow from their
/// type: a date, a number sent as text, a list with rules for its elements.
///
/// ```swift
/// json.field("since", JSONFragment(since) { json, value in json.date(value, .unix) })
/// ```
public struct JSONFragment<Value>: JSONWritable {
    private let value: Value
    private let write: (inout JSONWriter, Value) -> Void

    /// Creates a fragment of a value and the function that writes it; nil for a nil value.
    public init?(_ value: Value?, _ write: @escaping (inout JSONWriter, Value) -> Void) {
        guard let value else { return nil }
        self.value = value
        self.write = write
    }

    /// Writes the value.
    public func write(to json: inout JSONWriter) { write(&json, value) }
}

extension JSONWriter {
    /// Writes a member with a function; writes nothing for nil.
    ///
    /// - Parameter sensitive: whether the value never appears in violations.
    public mutating func field<Value>(
        _ key: StaticString, _ value: Value?, sensitive: Bool = false,
        _ write: (inout JSONWriter, Value) -> Void
    ) {
        guard let value else { return omit(key, sensitive) }
        self.key(literal: key, sensitive)
        write(&self, value)
    }

    /// Writes an array, each element with a function.
    public mutating func list<Value>(
        _ values: [Value], _ write: (inout JSONWriter, Value) -> Void
    ) {
        beginArray()
        for value in values {
            beginElement()
            write(&self, value)
        }
        endArray()
    }
}
