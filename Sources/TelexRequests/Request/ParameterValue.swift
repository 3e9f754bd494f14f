import TelexJSON

/// A value that can be a parameter: any scalar, enum, list, map or model that can be written as
/// JSON. ``ListStyle`` and ``BooleanStyle`` define its text. Null becomes an empty text.
public typealias ParameterValue = JSONWritable

/// How the items of a list, and the members of an object or a map, are sent.
public enum ListStyle: Sendable, Hashable {
    /// `a=1&a=2`; in headers, a field for each.
    case repeated
    /// `a=1,2` with this separator; the items are encoded, the separator is not.
    case joined(String)
    /// `a[]=1&a[]=2`
    case brackets
    /// `a[0]=1&a[1]=2`
    case indexed
    /// `a=[1,2]`; objects are sent as JSON too.
    case json
    /// `a[b]=1` for a member, `a[0]=1` for an item, `a[0][b]=1` for a member of an item.
    case deep
    /// `a.b=1` for a member, `a[0]=1` for an item, `a[0].b=1` for a member of an item.
    case dots
    /// `b=1` for a member, `b=1&b=2` for a member that is a list. A member has a name, and none of
    /// the given ones.
    case entries(besides: [String])

    /// The separator of a header field's list, if the spec names none.
    public static var headerSeparator: String { ", " }
}

/// How a Boolean is sent.
public enum BooleanStyle: Sendable, Hashable {
    /// `true` and `false`
    case trueFalse
    /// `1` and `0`
    case oneZero
    /// Two words, such as `yes` and `no`.
    case words(true: String, false: String)
    /// The bare name for true, nothing for false.
    case presence

    /// Returns the text; nil if nothing is sent.
    package func text(_ truth: Bool) -> String? {
        switch self {
        case .trueFalse: truth ? "true" : "false"
        case .oneZero: truth ? "1" : "0"
        case .words(let yes, let no): truth ? yes : no
        case .presence: truth ? "" : nil
        }
    }
}
