import SpecDiagnostics

/// A union as written: `one-of: { photo: Photo, video: Video }`, or `User | string`.
public struct UnionSyntax: Sendable {
    /// The span of `one-of`, or of the text.
    public var span: Span
    /// The alternatives, in order.
    public var alternatives: [AlternativeSyntax]
    /// `tag`: the key of the tag, or `$key`.
    public var tag: Located<String>?
    /// `content`: the key of the alternative's value, or `$tag`.
    public var content: Located<String>?
    /// Whether `closed` is true: no alternative is unknown.
    public var isClosed = false

    /// The `tag` of a union whose alternative is the value of the object's only key.
    public static let onlyKey = "$key"
    /// The `content` of a union whose alternative is the value of the key that the tag names.
    public static let namedByTag = "$tag"

    /// Creates a union without a tag.
    public init(_ alternatives: [AlternativeSyntax], at span: Span) {
        self.alternatives = alternatives
        self.span = span
    }
}

/// One alternative as written.
public struct AlternativeSyntax: Sendable {
    /// The tag's value, or the name if the union has no tag; nil in a list.
    public var key: YAMLNode?
    /// Its type.
    public var type: TypeSyntax

    /// Creates an alternative.
    public init(key: YAMLNode? = nil, _ type: TypeSyntax) {
        self.key = key
        self.type = type
    }
}
