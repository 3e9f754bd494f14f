/// The names of the rules, as specs write them.
public enum RuleName: String, CaseIterable, Sendable {
    /// Bounds of a number.
    case min, max, above, below
    /// The number is a multiple.
    case multipleOf = "multiple-of"
    /// The number has few digits after the decimal point.
    case digits
    /// Bounds of a text's length in Unicode scalars.
    case minLength = "min-length"
    case maxLength = "max-length"
    case length
    /// Bounds of a text's length in UTF-8 bytes.
    case minBytes = "min-bytes"
    case maxBytes = "max-bytes"
    /// The content of a text.
    case pattern, prefix, suffix, contains, excludes
    /// The value is one of these.
    case oneOf = "in"
    /// The value is none of these.
    case noneOf = "not-in"
    /// The text has a well-known form.
    case format
    /// The text has a character that is not white space.
    case notBlank = "not-blank"
    /// Bounds of a list's length.
    case minItems = "min-items"
    case maxItems = "max-items"
    /// No two elements are equal.
    case unique
    /// No two elements are equal in one field.
    case uniqueBy = "unique-by"
    /// Bounds of a map's size.
    case minKeys = "min-keys"
    case maxKeys = "max-keys"
    /// The date is before, or after, the present.
    case past, future
    /// The date is after, or before, another.
    case after, before
    /// The date is not far from the present.
    case within
    /// The file is not large.
    case maxSize = "max-size"
    /// The file has one of these MIME types.
    case mime
    /// The value is exactly this. It belongs to no family of types: specs write it as an attribute.
    case constant = "const"
    /// The app accepts the value.
    case own = "rule"
}

extension RuleName {
    /// The rule that a key of a spec sets; nil for other keys.
    public init?(key: String) {
        guard let name = Self.byKey[key] else { return nil }
        self = name
    }

    private static let byKey = Dictionary(
        uniqueKeysWithValues: keyed.flatMap { name in
            ([name.rawValue] + name.row.synonyms).map { ($0, name) }
        })

    /// The names that are keys of types, with synonyms.
    public static let keys = byKey.keys.sorted()

    /// The words of `format`.
    public static let formats = [
        "base64", "date", "date-time", "email", "hostname", "ipv4", "ipv6", "json-pointer",
        "time", "uri", "uuid",
    ]

    private static let keyed = allCases.filter { !$0.row.families.isEmpty }
}
