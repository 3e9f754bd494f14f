/// Words and notations of other formats, and the help that names what a spec has instead.
public enum NearMisses {
    /// Keywords of JSON Schema and OpenAPI that combine types.
    static let keywords = [
        "$ref": "write the name of the model instead of the mapping: `User`, `[User]`",
        "oneOf": "write `one-of: [User, Problem]`; a `discriminator` is a `tag`: "
            + "`{ one-of: { photo: Photo, video: Video }, tag: type }`",
        "anyOf": "if exactly one holds, write `one-of: [User, Problem]`; if several may hold at "
            + "once, write an object with all their fields, each optional",
        "allOf": "write `with: [User, Timestamps]`",
        "additionalProperties":
            "`additional: T` keeps further keys, `closed: true` refuses them; a map of any keys is "
            + "`{ string: T }`",
    ]

    /// Keys of other formats in the long form of a type.
    static let typeKeys = [
        "properties": "the fields of an object belong under `fields`",
        "required": "a field that may be missing is marked `?`: `name: string?`",
        "regex": "did you mean `pattern`?", "regexp": "did you mean `pattern`?",
        "size": "did you mean `length` of a text, or `min-items` and `max-items` of a list?",
        "range": "write both bounds: `min: 1, max: 5`",
        "example": "an example belongs in `doc`", "title": "did you mean `doc`?",
        "readOnly": "declare one model for replies and one for requests",
        "writeOnly": "declare one model for replies and one for requests",
    ].merging(keywords) { own, _ in own }

    /// Words for tokens.
    static let tokens = [
        "digest": "write an `Interceptor` in Swift",
        "apiKey": "write where it goes: `{ in: header, name: X-API-Key }`",
        "header": "write its name, too: `{ in: header, name: X-API-Key }`",
        "query": "write its name, too: `{ in: query, name: api_key }`",
        "cookie": "write its name, too: `{ in: cookie, name: session }`",
        "oauth2": "did you mean `bearer`?", "jwt": "did you mean `bearer`?",
    ]

    /// Words for modes of validation.
    static let validationModes = [
        "true": "did you mean `throw`?", "strict": "did you mean `throw`?",
        "error": "did you mean `throw`?", "fail": "did you mean `throw`?",
        "false": "did you mean `off`?", "none": "did you mean `off`?",
        "keys": "write `{ checks: [keys] }`", "types": "write `{ checks: [types] }`",
        "rules": "write `{ checks: [rules] }`",
    ]

    /// Places that only the parameters of a method have.
    static let places = [
        "path": "declare it in each method, under `path`",
        "body": "declare it in each method, under `json`, `form` or `multipart`",
        "form": "declare it in each method, under `form`",
        "cookie": "send the header: `in: header` with the `key: Cookie`",
    ]

    /// The help for a text with an object.
    public static let objectInText =
        "an object is written without quotes, `[{ id: int }]`; one that may be null is "
        + "`{ fields: { id: int }, nullable: true }`, an optional list of objects "
        + "`{ type: [{ id: int }], optional: true }`"

    /// The help for a token of `pages` in a header field.
    public static let pageInHeader =
        "the address of the next page may be in the `Link` field: `next: { link: next }`; a token may "
        + "be in any field: `send: after, take: { header: X-Next }`"

    /// The help for a path of `pages` into a list.
    public static let pageInList =
        "a path of `pages` goes through objects; a token may be in the last item, "
        + "`take: { last: id }`"

    /// Words that name no type of the language.
    private static let types = [
        "object": "list its fields, `{ id: int, name: string }`, or write `json` for any JSON",
        "void": "leave `returns` out for a method that returns nothing",
        "none": "leave `returns` out for a method that returns nothing",
        "null": "a type whose value may be null reads `T | null`",
        "nil": "a type whose value may be null reads `T | null`",
        "enum": "list its values: `{ enum: [new, old] }`",
        "set": "write `{ type: [string], unique: true }`",
        "email": "write `{ type: string, format: email }`",
        "ipv4": "write `{ type: string, format: ipv4 }`",
        "time": "write `{ type: string, format: time }`, or `Date` for a date with a time",
    ]

    /// The help for a name that is no type: a value, or a word of other formats.
    public static func help(forType name: String) -> String? {
        let word = name.lowercased()
        return help(forValue: name) ?? types[word]
            ?? TypeNames.synonyms[word].map { "the equivalent is `\($0)`" }
    }

    private static func help(forValue text: String) -> String? {
        let type =
            if CoreSchema.boolean(text) != nil { "bool" } else if CoreSchema.integer(text) != nil {
                "int"
            } else if CoreSchema.numberText(text) != nil { "double" } else { String?.none }
        return type.map {
            // As a number, the version 5.10 would be 5.1.
            let constant = $0 == "double" ? "\"\(text)\"" : text
            return "a type belongs here: `{ type: \($0), default: \(text) }`, or "
                + "`{ const: \(constant) }` for a value that never differs"
        }
    }

    /// The help for a text in the notation of another language.
    public static func help(forTypeText text: String) -> String? {
        // A long text is no misspelt type.
        guard text.utf8.count <= 100 else { return nil }
        let lists = "a list is written in brackets: "
        let maps = "a map is written in braces: "
        let notations = [
            (#/(.+)\[\]/#, lists + "`[$1]`"),
            (#/(?i:array|collection|list|sequence|set|vector)<(.+)>/#, lists + "`[$1]`"),
            (#/\?(.+)/#, "`?` follows the type: `$1?`"),
            (#/(?i:maybe|nullable|optional)<(.+)>/#, "`?` follows the type: `$1?`"),
            (#/(?i:dict|dictionary|hashmap|map|record)<[^,]*, *(.+)>/#, maps + "`{string: $1}`"),
            // In `{ }`, a comma ends the text.
            (#/(?i:dict|dictionary|hashmap|map|record)<([^,>]+)/#, maps + "`{$1: T}`"),
            (#/\[ *\w+ *: *(\w+) *\]/#, maps + "`{string: $1}`"),
            (#/(.+)!/#, "a type without `?` is required: `$1`"),
            (#/(\[?{ *\w+ *:.*,.*)/#, objectInText),
        ]
        for (notation, help) in notations {
            guard let match = text.wholeMatch(of: notation) else { continue }
            return help.replacing("$1", with: match.1)
        }
        return nil
    }
}
