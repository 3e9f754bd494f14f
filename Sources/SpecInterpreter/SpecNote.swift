import TelexJSON

/// Something that a spec allows, but does not know.
public struct SpecNote: Sendable, Hashable {
    /// The kind of a note.
    public enum Kind: String, Sendable, Hashable {
        /// A key that the model does not declare.
        case undeclaredKey = "undeclared"
        /// A value that the enumeration does not have.
        case unknownCase = "enum"
        /// An alternative that the union does not have.
        case unknownAlternative = "one-of"
    }

    /// What is not known.
    public var kind: Kind
    /// The path, as in a ``Violation``.
    public var path: String
    /// The value; `‹redacted›` for a sensitive one.
    public var found: JSONValue

    /// Creates a note.
    init(_ kind: Kind, at path: String, found: JSONValue) {
        self.kind = kind
        self.path = path
        self.found = found
    }
}
