/// A name and a value of a request or a reply, as people may see it: of what is secret, only the
/// name is told.
public struct RecordField: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value; `‹redacted›` stands for secrets.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [RecordField] {
    /// The value of the first field of this name, in upper or lower case.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.lowercased() == name }?.value
    }
}
