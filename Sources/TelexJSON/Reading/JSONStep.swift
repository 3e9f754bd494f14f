/// One step of a path into a JSON document: `["errors", 0, "detail"]`.
public enum JSONStep: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    /// The member of an object. Of a duplicate key, the first value.
    case key(String)
    /// The element of a list, counted from 0; from the end if negative: -1 is the last one.
    case index(Int)
    /// Each element of a list that has a value at the rest of the path.
    case each
    /// The first element of a list that has a value other than null at the rest of the path.
    case first

    /// Creates ``key(_:)``.
    public init(stringLiteral key: String) { self = .key(key) }

    /// Creates ``index(_:)``.
    public init(integerLiteral index: Int) { self = .index(index) }
}
