/// The type names of the language.
public enum TypeNames {
    /// The built-in types.
    public static let scalars: Set<String> = [
        "string", "int", "int32", "uint", "double", "decimal", "bool", "bool01", "Date",
        "Duration", "url", "uuid", "bytes", "file", "json", "nothing",
    ]

    /// Lower-case type names of JSON Schema, OpenAPI, Swift and databases, and their equivalents.
    public static let synonyms: [String: String] = [
        "boolean": "bool", "integer": "int", "int64": "int", "long": "int", "number": "double",
        "float": "double", "real": "double", "money": "decimal", "numeric": "decimal",
        "str": "string", "text": "string", "varchar": "string", "datetime": "Date",
        "date": "Date", "date-time": "Date", "timestamp": "Date", "timeinterval": "Duration",
        "uri": "url", "guid": "uuid", "data": "bytes", "binary": "bytes", "blob": "bytes",
        "object": "json", "any": "json", "dictionary": "{string: json}", "map": "{string: json}",
        "array": "[string]", "list": "[string]",
    ]
}

/// The rule names of the language.
public enum RuleNames {
    /// All rules.
    public static let all: [String] = [
        "min", "max", "above", "below", "multiple-of", "digits", "min-length", "max-length",
        "length", "min-bytes", "max-bytes", "pattern", "prefix", "suffix", "contains", "excludes",
        "in", "not-in", "format", "not-blank", "min-items", "max-items", "unique", "unique-by",
        "min-keys", "max-keys", "past", "future", "after", "before", "within", "max-size", "mime",
    ]

    /// The names of JSON Schema (draft 2020-12, Validation §6), and their equivalents.
    public static let synonyms: [String: String] = [
        "minimum": "min", "maximum": "max", "exclusiveMinimum": "above",
        "exclusiveMaximum": "below", "multipleOf": "multiple-of", "minLength": "min-length",
        "maxLength": "max-length", "minItems": "min-items", "maxItems": "max-items",
        "uniqueItems": "unique", "minProperties": "min-keys", "maxProperties": "max-keys",
    ]

    /// The canonical name of a rule; nil for other keys.
    static func normalized(_ key: String) -> String? {
        synonyms[key] ?? (known.contains(key) ? key : nil)
    }

    private static let known = Set(all)
}
