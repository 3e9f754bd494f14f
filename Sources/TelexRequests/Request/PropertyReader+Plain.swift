import TelexJSON

/// Non-generic variants for common types, as used by most generated code. In a debug build, passing
/// the type, the conformance and the result address of a generic call takes more code than the call
/// itself.
///
/// A required property that cannot be read has an empty value; `close()` throws.
extension PropertyReader {
    // MARK: Required

    /// Reads a required string.
    public mutating func required(_ name: StaticString) -> String {
        held(name) ?? required(name) { json in json.value() } ?? ""
    }

    /// Reads a required integer.
    public mutating func required(_ name: StaticString) -> Int {
        held(name) ?? required(name) { json in json.value() } ?? 0
    }

    /// Reads a required list.
    public mutating func required<T: JSONReadable>(_ name: StaticString) -> [T] {
        held(name) ?? required(name) { json in json.list() } ?? []
    }

    // MARK: Optional

    /// Reads an optional string; nil if it is missing, null or of another type.
    public mutating func optional(_ name: StaticString) -> String? {
        held(name) ?? optional(name) { json in json.value() }
    }

    /// Reads an optional integer; nil if it is missing, null or of another type.
    public mutating func optional(_ name: StaticString) -> Int? {
        held(name) ?? optional(name) { json in json.value() }
    }

    /// Reads an optional Boolean; nil if it is missing, null or of another type.
    public mutating func optional(_ name: StaticString) -> Bool? {
        held(name) ?? optional(name) { json in json.value() }
    }

    /// Reads an integer with a default.
    public mutating func optional(_ name: StaticString, default value: Int) -> Int {
        held(name) ?? optional(name) { json in json.value() } ?? value
    }

    /// Reads a Boolean with a default.
    public mutating func optional(_ name: StaticString, default value: Bool) -> Bool {
        held(name) ?? optional(name) { json in json.value() } ?? value
    }
}
