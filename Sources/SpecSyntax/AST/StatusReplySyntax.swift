import SpecDiagnostics

/// One entry of `returns: { 200: User, 204: nothing }`.
public struct StatusReplySyntax: Sendable {
    /// The status.
    public var status: Located<Int>
    /// The type of the reply.
    public var type: TypeSyntax
}

/// `reply-headers`: the typed header fields of a reply.
public struct ReplyHeadersSyntax: Sendable {
    /// The fields, as an object.
    public var type: TypeSyntax
    /// The relations of the fields that are `{ link: next }`, by the keys of the fields.
    public var links: [String: Located<String>] = [:]
}

/// `login`: the reply is the credential.
public struct LoginSyntax: Sendable {
    /// The key of the entry.
    public var span: Span
    /// `token`
    public var token: Located<[String]>?
    /// `refresh`
    public var refreshToken: Located<[String]>?
    /// `expires-in`
    public var expiresIn: Located<[String]>?
    /// `unit`: whether the lifetime is in milliseconds.
    public var isInMilliseconds = false
    /// `values`
    public var values: [Located<[String]>] = []
}
