/// A name and a value of a request or a reply, without secrets: a secret value is replaced, its
/// name is kept.
public struct RecordField: Sendable, Hashable {
    /// The name of the field.
    public var name: String
    /// The value, in which `‹redacted›` replaces secrets.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [RecordField] {
    /// The value of the first field of this name, compared case-insensitively.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.lowercased() == name }?.value
    }
}
