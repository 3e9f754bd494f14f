/// T01xx: keys and values of the language.
extension DiagnosticCode {
    static let grammarCodes: [DiagnosticCode] = [
        .unknownKey, .wrongKind, .missingKey, .notSupported, .conflict, .languageVersion,
        .notAllowed, .badDuration, .badSize, .badStatus, .badKeyPath, .badType,
        .constantLooksLikeType, .badRate, .badBackoff, .impossibleTimes, .noEffect, .keyLikePath,
    ]

    /// An unknown key.
    public static let unknownKey = DiagnosticCode(
        "T0101", "unknown key",
        example: .folder(method: "retuns: string\n"),
        explanation: """
            Every mapping of a spec accepts a fixed set of keys, and this key is not one of them. An
            ignored key could be a rule that is never checked, so unknown keys are errors. Correct
            the spelling:

            ```yaml
            users.get:
              get: users.get
              returns: string
            ```

            An inline object with a field called `type`, `enum`, `fields` or `const` is read as the
            long form of a type. Mark it as an object: `{ fields: { type: string, id: int } }`.
            """)

    /// A value of the wrong kind.
    public static let wrongKind = DiagnosticCode(
        "T0102", "a value of the wrong kind",
        example: .folder(method: "query: [user_ids]\n"),
        explanation: """
            There is a text instead of a mapping, a list instead of a text, or no value after the
            colon. The message shows what was expected. Parameters and fields are mappings from a
            name to a type:

            ```yaml
            query:
              user_ids: [string]
            ```
            """)

    /// A missing required key.
    public static let missingKey = DiagnosticCode(
        "T0103", "a key is missing",
        example: [
            ExampleFile("api.yaml", "telex: 1\napi: VK\n"),
            ExampleFile("users.yaml", [ExampleFile].soundGroup),
        ],
        explanation: """
            Some keys have no sensible default. `api.yaml` needs the version of the language, the
            name of the API and at least one server:

            ```yaml
            telex: 1
            api: VK
            servers: { production: https://api.vk.com/method/ }
            ```

            Other mappings also have required keys: a token needs its placement, `errors` needs
            `code`, and a rule in its long form needs `value`.
            """)

    /// A key of the language that cannot be compiled yet.
    public static let notSupported = DiagnosticCode(
        "T0104", "not supported yet",
        example: .folder(method: "signing: hmac\n"),
        explanation: """
            The language has a meaning for this, but this version of the compiler cannot generate
            code for it. It is an error, not a warning, because a client that ignores `signing: hmac`
            would be worse than no client. Remove the entry until a later version supports it;
            `CHANGELOG.md` names that version.
            """)

    /// Keys that exclude each other.
    public static let conflict = DiagnosticCode(
        "T0105", "keys that exclude each other",
        example: .folder(
            users: "methods:\n  users.get: { get: users.get, post: users.get }\n"),
        explanation: """
            The two keys set the same thing: two verbs, two forms of the body, `join` and `style`,
            `fields` and `type`. Keep the intended one. Two requests that differ in their verb are
            two methods:

            ```yaml
            users.get: { get: users/{id} }
            users.remove: { delete: users/{id} }
            ```
            """)

    /// An unknown version of the language.
    public static let languageVersion = DiagnosticCode(
        "T0106", "unknown language version",
        example: [
            ExampleFile("api.yaml", "telex: 2\n" + [ExampleFile].soundAPI.dropFirst(9)),
            ExampleFile("users.yaml", [ExampleFile].soundGroup),
        ],
        explanation: """
            `telex` is the version of the spec language, not of the API and not of the compiler.
            There is one so far. If the spec was written for a newer compiler, update the compiler;
            otherwise write

            ```yaml
            telex: 1
            ```
            """)

    /// A word that is none of those allowed.
    public static let notAllowed = DiagnosticCode(
        "T0107", "a word that is not allowed here",
        example: .folder(method: "priority: hihg\n"),
        explanation: """
            Only the words that the message lists are allowed here. Words are case-sensitive.

            ```yaml
            priority: high
            ```
            """)

    /// Not a length of time.
    public static let badDuration = DiagnosticCode(
        "T0108", "not a length of time",
        example: .folder(method: "timeout: 15\n"),
        explanation: """
            A length of time has a unit, because `15` could mean seconds or milliseconds: `ms`, `s`,
            `m`, `h` or `d`, without a space in front. The shortest is `1ms`.

            ```yaml
            timeout: 15s
            ```
            """)

    /// Not a number of bytes.
    public static let badSize = DiagnosticCode(
        "T0109", "not a number of bytes",
        example: .folder(api: "limits: { response: 16 megabytes }\n"),
        explanation: """
            A size is a number of bytes, alone or with a unit: `KiB`, `MiB`, `GiB` (powers of 1024)
            or `B`, `KB`, `MB`, `GB` (powers of 1000), without a space in front. It must be a whole
            number of bytes, at least one.

            ```yaml
            limits: { response: 16MiB }
            ```
            """)

    /// Not a status of HTTP.
    public static let badStatus = DiagnosticCode(
        "T0110", "not a status",
        example: .folder(api: "success: { status: 2xx }\n"),
        explanation: """
            A status is a number from 100 to 599 (RFC 9110 §15); a range has two dots and includes
            both ends; several are written as a list, which must not be empty. A status of `expired`
            cannot be a success status, unless `success` also checks the body.

            ```yaml
            success: { status: [200..299, 304] }
            ```
            """)

    /// Not a key path.
    public static let badKeyPath = DiagnosticCode(
        "T0111", "not a key path",
        example: .folder(api: "unwrap: response..items\n"),
        explanation: """
            A key path names a value of a reply: keys joined by single dots, none of them empty.
            `none` is the path of the whole reply, which cannot be an error code. The paths of
            `unwrap`, `extract` and `errors.at` also lead into lists: `[0]` is an element, `[-1]` the
            last one; `[*]` is each and `[?]` the first that has the rest of the path, which `unwrap`
            cannot use. All other paths lead through objects only. A key that contains a dot or such
            brackets, or that is a number, is written as an item of a list.

            ```yaml
            unwrap: response.items
            unwrap: response.items[0]
            unwrap: ["v5.199", items]     # the key `v5.199`, then `items`
            ```
            """)

    /// A text that is no type.
    public static let badType = DiagnosticCode(
        "T0112", "not a type",
        example: .folder(method: "returns: \"[string\"\n"),
        explanation: """
            A type is a word (`string`, `int`, the name of a model), a list `[T]`, a map `{K: T}`,
            each followed by `?` if it may be missing and by `| null` if it may be null. In YAML, a
            text that begins with a bracket and continues after it needs quotes:

            ```yaml
            returns: [string]
            friends: "[User]?"
            counts: "{string: int} | null"
            ```
            """)

    /// A constant that looks like a type.
    public static let constantLooksLikeType = DiagnosticCode(
        "T0113", "a constant that looks like a type", severity: .warning,
        example: .folder(api: "parameters: { lang: string }\n"),
        explanation: """
            Under `parameters` and `headers` of an API or a group, a plain value is sent as it is
            with every request: `lang: string` sends the text `string`. If the app sets the value,
            declare a parameter; if the text is intended, put it in quotes.

            ```yaml
            parameters:
              lang: { type: string }      # the app says which
              unit: "double"              # the text, always
            ```
            """)

    /// A key with a dot that looks like a key path.
    public static let keyLikePath = DiagnosticCode(
        "T0119", "a key that looks like a path", severity: .warning,
        example: .folder(user: "city: { type: string, key: address.city }\n"),
        explanation: """
            `key` is one key of the JSON object, also with a dot: `key: address.city` reads
            `{"address.city": …}`, not `{"address": {"city": …}}`. Declare the inner object as the
            field that it is. If the key does have a dot, put it in quotes.

            ```yaml
            address: { city: string }
            city: { type: string, key: "address.city" }   # a key with a dot
            ```
            """)
}
