/// The type names of the language.
public enum TypeNames {
    /// Whether a key means something in a type, so that an object with a field of this name needs
    /// `fields:`.
    package static func isAttribute(_ key: String) -> Bool {
        MappingSchema.type.accepts(key) || ["string", "int"].contains(key)
    }

    /// The keys of which the long form of a type has at least one.
    package static let bases: Set<String> = ["type", "fields", "enum", "one-of", "any-of", "const"]

    /// The built-in types.
    public static let scalars: Set<String> = [
        "string", "int", "int32", "uint", "double", "decimal", "bool", "bool01", "Date",
        "Duration", "url", "uuid", "bytes", "file", "json", "nothing",
    ]

    /// Lower-case type names of JSON Schema, OpenAPI, Swift and databases, and their equivalents.
    public static let synonyms: [String: String] = [
        "boolean": "bool", "integer": "int", "int8": "int", "int16": "int", "int64": "int",
        "short": "int", "long": "int", "bigint": "int", "uint32": "uint", "uint64": "uint",
        "number": "double", "float": "double", "float64": "double", "real": "double",
        "money": "decimal", "numeric": "decimal",
        "str": "string", "text": "string", "varchar": "string", "char": "string",
        "datetime": "Date",
        "date": "Date", "date-time": "Date", "timestamp": "Date", "timeinterval": "Duration",
        "uri": "url", "guid": "uuid", "data": "bytes", "binary": "bytes", "blob": "bytes",
        "any": "json", "dictionary": "{string: json}",
        "dict": "{string: json}", "map": "{string: json}", "record": "{string: json}",
        "array": "[string]", "list": "[string]",
    ]
}
