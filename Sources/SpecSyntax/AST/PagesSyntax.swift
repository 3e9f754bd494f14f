import SpecDiagnostics

/// `pages`: how the pages of a method's list follow one another.
public struct PagesSyntax: Sendable {
    /// The key that says how a page is found.
    public enum Form: Sendable {
        /// `offset` and `total`
        case offset(Located<String>, total: Located<[String]>?)
        /// `page` and `last`
        case page(Located<String>, last: Located<[String]>?)
        /// `send` and `take`
        case token(send: Located<String>, take: Take)
        /// `next`, the path of an address
        case address(Located<[String]>)
        /// `next: { link }`
        case link(Located<String>)
        /// `merge`
        case merge(Located<[String]>)
    }

    /// `take`: where a page has what the next call sends.
    public enum Take: Sendable {
        /// A path in the reply.
        case path(Located<[String]>)
        /// `{ header }`
        case header(Located<String>)
        /// `{ last }`, a path in the last item.
        case last(Located<[String]>)
    }

    /// The key.
    public var span: Span
    /// The whole value.
    public var node: YAMLNode
    /// `items`; empty for `$body`.
    public var items: Located<[String]>
    /// The rest.
    public var form: Form
    /// `more`
    public var more: Located<[String]>?
}
