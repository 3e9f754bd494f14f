import TelexJSON

/// The calls that most of generated code makes, for the types that are common: a generic call passes
/// a type, a conformance and the address of its result, which in a debug build is more code than the
/// call itself.
///
/// A required property that cannot be read has an empty value; ``PropertyReader/close()`` throws.
extension PropertyReader {
    // MARK: Required

    /// A text that has to be there.
    public mutating func required(_ name: StaticString) -> String {
        required(name) { json in json.value() } ?? ""
    }

    /// An integer that has to be there.
    public mutating func required(_ name: StaticString) -> Int {
        required(name) { json in json.value() } ?? 0
    }

    /// A list that has to be there.
    public mutating func required<T: JSONReadable>(_ name: StaticString) -> [T] {
        required(name) { json in json.list() } ?? []
    }

    // MARK: Optional

    /// A text that may be missing or null; nil also if it is no text.
    public mutating func optional(_ name: StaticString) -> String? {
        optional(name) { json in json.value() }
    }

    /// An integer that may be missing or null; nil also if it is none.
    public mutating func optional(_ name: StaticString) -> Int? {
        optional(name) { json in json.value() }
    }

    /// A truth value that may be missing or null; nil also if it is none.
    public mutating func optional(_ name: StaticString) -> Bool? {
        optional(name) { json in json.value() }
    }

    /// An integer that has a default.
    public mutating func optional(_ name: StaticString, default value: Int) -> Int {
        optional(name) { json in json.value() } ?? value
    }

    /// A truth value that has a default.
    public mutating func optional(_ name: StaticString, default value: Bool) -> Bool {
        optional(name) { json in json.value() } ?? value
    }
}
