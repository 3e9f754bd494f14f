import SpecDiagnostics

/// A lookup in an object: `authors: { join: items.from_id, in: { profiles: id, groups: -id } }`.
public struct JoinSyntax: Sendable {
    /// The name.
    public var name: Located<String>
    /// `join`: a list and the field of its elements that refers to others.
    public var path: Located<[String]>
    /// `in`: the lists that are searched.
    public var sources: [JoinSourceSyntax]
    /// `doc`
    public var documentation = DocumentationSyntax()
}

/// One entry of `in`: a list, and the field of its elements that is compared.
public struct JoinSourceSyntax: Sendable {
    /// The list.
    public var list: Located<String>
    /// The field, without its sign.
    public var key: Located<String>
    /// Whether the field is compared with its sign changed: `-id`.
    public var isNegated: Bool
}
