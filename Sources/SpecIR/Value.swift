/// A type with its nullability and rules.
public struct Value: Sendable, Equatable {
    /// The type.
    public var type: ValueType
    /// Whether JSON `null` is a value of it.
    public var isNullable: Bool
    /// The rules its values obey, those of an alias first.
    public var rules: [Rule]
    /// The rules that the keys of a map obey.
    public var keyRules: [Rule] = []
    /// The name of the alias it was declared by, for documentation.
    public var alias: String?
    /// How JSON has a value that is no scalar, or an integer of an enumeration: `.string` as JSON
    /// inside a text, `.either` in both forms.
    public var from = JSONForm.native
    /// The violations that a received list or map tolerates, without `fail`, in the order of the
    /// cases.
    public var tolerances: [Tolerance] = []

    /// Creates a value from its parts.
    public init(
        _ type: ValueType, isNullable: Bool = false, rules: [Rule] = [], alias: String? = nil
    ) {
        self.type = type
        self.isNullable = isNullable
        self.rules = rules
        self.alias = alias
    }
}

/// What becomes of an invalid list or map in a reply.
public enum Tolerance: String, CaseIterable, Sendable {
    /// The reply is invalid, too.
    case fail
    /// Invalid elements are left out.
    case skip
    /// A value of another kind is read as an empty list or map.
    case empty
}

/// The type of a value, in JSON and in Swift.
public indirect enum ValueType: Sendable, Equatable {
    /// `String`; `.int` accepts a JSON number, `.either` both.
    case string(from: JSONForm)
    /// `Int` (64-bit), `Int32` or `UInt`.
    case integer(IntegerWidth, from: JSONForm)
    /// `Double`.
    case double(from: JSONForm)
    /// `Decimal`, exact.
    case decimal(from: JSONForm)
    /// `Bool`.
    case bool(BoolForm)
    /// `Date`.
    case date(DateForm)
    /// `Duration`, in this unit or form.
    case duration(DurationUnit = .seconds)
    /// `URL`.
    case url
    /// `UUID`.
    case uuid
    /// `Data`; text in this form inside JSON.
    case bytes(BytesForm = .base64)
    /// `UploadFile`, only in multipart bodies or as a whole body.
    case file
    /// `JSONValue`, any JSON.
    case json
    /// `[T]`
    case list(Value)
    /// `[K: T]`; the key is a string, an integer or an enumeration.
    case map(MapKey, Value)
    /// An object model, by its qualified Swift name.
    case object(String)
    /// A union, by its qualified Swift name.
    case union(String)
    /// An enumeration, by its qualified Swift name.
    case enumeration(String, isInteger: Bool)
}

extension ValueType {
    /// Whether a copy of the Swift value retains nothing. The answer is `false` for models, which
    /// may be trivial.
    public var isTrivial: Bool {
        switch self {
        case .integer, .double, .bool, .decimal, .date, .duration, .uuid: true
        case .enumeration(_, let isInteger): isInteger
        default: false
        }
    }
}

/// How a scalar is encoded in JSON.
public enum JSONForm: String, Sendable {
    /// The native form of its type.
    case native
    /// As a number, although the type is text.
    case int
    /// As text, although the type is a number.
    case string
    /// Both forms are accepted.
    case either
}

/// The width of an integer.
public enum IntegerWidth: Sendable, Equatable {
    /// `Int`, 64 bits.
    case int
    /// `Int32`
    case int32
    /// `UInt`, 64 bits.
    case uint
}

/// The unit of a duration that is a number, or the form of one that is a text.
public enum DurationUnit: String, CaseIterable, Sendable {
    /// `s`
    case seconds = "s"
    /// `ms`
    case milliseconds = "ms"
    /// Text such as `1.02:03:04.5`.
    case clock
    /// Text such as `PT1H30M`.
    case iso8601

    /// Whether it is a text in JSON.
    public var isText: Bool { self == .clock || self == .iso8601 }
}

/// How bytes are encoded in JSON.
public enum BytesForm: String, CaseIterable, Sendable {
    /// RFC 4648, section 4.
    case base64
    /// RFC 4648, section 5: `-` and `_`, the padding may be missing.
    case base64url
    /// RFC 4648, section 8: two digits for each byte.
    case hex
}

/// How a Boolean is encoded.
public enum BoolForm: Sendable, Equatable {
    /// `true` and `false`.
    case trueFalse
    /// `true` and `false`, in JSON as text.
    case text
    /// `1` and `0`.
    case oneZero
    /// Two words, that for true first: `yes/no`; in JSON as texts.
    case words(String)
    /// The name alone when true, nothing when false; outside JSON only.
    case presence
}

extension BoolForm: WordedForm {
    /// The words of `as` for a Boolean.
    public static let words: KeyValuePairs<String, Self> = [
        "0/1": .oneZero, "presence": .presence, "true-false": .trueFalse,
    ]

    /// The words of a pair, that for true first.
    public static func parts(of words: String) -> [String] {
        words.split(separator: "/").map(String.init)
    }
}

/// How a date is encoded.
public enum DateForm: Sendable, Equatable {
    /// Seconds since 1970.
    case unix
    /// Milliseconds since 1970.
    case unixMilliseconds
    /// Seconds since 1970, in JSON as text.
    case unixText
    /// Milliseconds since 1970, in JSON as text.
    case unixMillisecondsText
    /// RFC 3339 date and time.
    case dateTime
    /// A date and time. Without an offset in the text, it is `offset` seconds east of UTC.
    case localDateTime(offset: Int = 0)
    /// RFC 3339 full-date.
    case date
    /// A pattern of `yyyy MM dd HH mm ss SSS` and literal text, in UTC.
    case pattern(String)
}

extension DateForm: WordedForm {
    /// The words of `as` for a date, and of `dates`.
    public static let words: KeyValuePairs<String, Self> = [
        "unix": .unix, "unix-ms": .unixMilliseconds, "date-time": .dateTime,
        "local-date-time": .localDateTime(), "date": .date,
    ]
}

/// The type of a map's keys.
public enum MapKey: Sendable, Equatable {
    /// `String`
    case string
    /// `Int`
    case int
    /// An enumeration, by its qualified Swift name.
    case enumeration(String)
}

/// A literal of a spec, already checked against its type.
public indirect enum Literal: Sendable, Hashable {
    /// Text, also of a URL, UUID or date in its own spelling.
    case string(String)
    /// An integer's digits.
    case integer(String)
    /// A number's digits.
    case number(String)
    /// A Boolean.
    case bool(Bool)
    /// A known case of an enumeration, by its Swift name.
    case enumerationCase(String)
    /// Null, that is `nil`.
    case null
    /// A list.
    case list([Literal])
    /// A map, keys in spec order.
    case map([LiteralEntry])
}

/// An entry of a literal map.
public struct LiteralEntry: Sendable, Hashable {
    /// The key; an enumeration's case by its Swift name, an integer's digits, or text.
    public var key: Literal
    /// The value.
    public var value: Literal

    /// Creates an entry.
    public init(key: Literal, value: Literal) {
        self.key = key
        self.value = value
    }
}
