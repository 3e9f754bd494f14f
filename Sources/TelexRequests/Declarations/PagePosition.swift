public import TelexJSON

/// Where a page of a list begins. An app may store it, to continue the list later; see
/// ``Pages/starting(at:)``.
///
/// What a server gave for the next page is part of it, and may be as secret as its addresses are.
/// The description leaves it out.
public enum PagePosition: Sendable, Hashable, Codable {
    /// Where the arguments of the call begin.
    case start
    /// After this many items.
    case offset(Int)
    /// The page with this number.
    case page(Int)
    /// What the page before gave for the next one; an integer as its digits, an object
    /// or a list as its JSON.
    case token(String)
    /// The address that the page before gave for the next one.
    case address(String)
    /// The query items that the page before gave for the next one.
    case query([String: String])

    /// The number of items before the page; nil for another kind of position. The properties are
    /// for generated code.
    public var asOffset: Int? { if case .offset(let offset) = self { offset } else { nil } }

    /// The number of the page; nil for another kind of position.
    public var asPage: Int? { if case .page(let page) = self { page } else { nil } }

    /// What the page before gave; nil for another kind of position.
    public var asToken: String? { if case .token(let token) = self { token } else { nil } }

    /// The integer that the page before gave; nil for another kind of position.
    public var asNumber: Int? { asToken.flatMap { Int($0) } }

    /// The JSON that the page before gave; nil for another kind of position.
    public func asJSON<Token: JSONReadable>() -> Token? { asToken.flatMap { try? Token(json: $0) } }
}

extension PagePosition: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of position, with its number if it has one.
    public var description: String {
        switch self {
        case .start: "the start"
        case .offset(let offset): "offset \(offset)"
        case .page(let page): "page \(page)"
        case .token: "a token"
        case .address: "an address"
        case .query: "query items"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Reflects only the description.
    public var customMirror: Mirror { Mirror(self, children: ["position": description]) }
}
