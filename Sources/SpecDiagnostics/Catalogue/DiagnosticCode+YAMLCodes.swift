/// T00xx: files and YAML.
extension DiagnosticCode {
    static let yamlCodes: [DiagnosticCode] = [
        .notUTF8, .controlCharacter, .tabIndentation, .yamlSyntax, .duplicateKey, .severalDocuments,
        .unknownAlias, .selfReference, .aliasExpansion, .nestingTooDeep, .keyNotScalar,
        .fileTooLarge, .emptyFile, .tag, .mergeKey, .directive, .unclosed, .escape,
        .lookalike,
    ]

    /// The bytes are not UTF-8.
    public static let notUTF8 = DiagnosticCode(
        "T0001", "a file that is not UTF-8",
        example: [ExampleFile("api.yaml", bytes: Array("api: Caf".utf8) + [0xE9, 0x0A])],
        explanation: """
            A spec is UTF-8 text, with or without a byte order mark. The diagnostic points to the
            first invalid byte. Usually the file was saved as Latin-1, Windows-1252 or UTF-16: save
            it as UTF-8.
            """)

    /// A character that YAML forbids.
    public static let controlCharacter = DiagnosticCode(
        "T0002", "a control character",
        example: [ExampleFile("api.yaml", "api: \u{7}VK\n")],
        explanation: """
            YAML forbids control characters other than tab and line breaks, and a byte order mark
            anywhere but at the start (YAML 1.2.2, chapter 5.1). They are invisible in most editors
            and usually come from copied text. Delete the character. If it is intended, write it as
            an escape in double quotes: `"\\x07"`.
            """)

    /// A tab among the indentation.
    public static let tabIndentation = DiagnosticCode(
        "T0003", "a tab as indentation",
        example: [ExampleFile("api.yaml", "telex: 1\nservers:\n\tproduction: https://vk.com/\n")],
        explanation: """
            Indentation carries meaning in YAML, and a tab has no agreed width, so only spaces
            indent. Tabs are fine inside texts and before comments.
            """)

    /// Text that is not YAML.
    public static let yamlSyntax = DiagnosticCode(
        "T0004", "a YAML syntax error",
        example: [ExampleFile("api.yaml", "api: VK\ndoc: Methods: all of them\n")],
        explanation: """
            The text is not valid YAML from here on, so the rest of the file is not read. Usual
            causes are a text that contains `: ` or ` #`, or starts with one of `@ % & * ! | > [ {`
            and needs quotes; keys of one mapping that start in different columns; a missing comma
            or `:`.
            """)

    /// A duplicate key of a mapping.
    public static let duplicateKey = DiagnosticCode(
        "T0005", "a key written twice",
        example: [ExampleFile("api.yaml", "telex: 1\napi: VK\napi: Instagram\n")],
        explanation: """
            Each key stands once in a mapping. Many YAML readers silently take the last one, so that
            one of two methods or fields would be lost silently. Keys are compared as text: `1` and
            `"1"` are the same key.
            """)

    /// More than one document in a file.
    public static let severalDocuments = DiagnosticCode(
        "T0006", "several documents in a file",
        example: [ExampleFile("api.yaml", "telex: 1\napi: VK\n---\napi: Instagram\n")],
        explanation: """
            A line `---` starts a new YAML document. A file of a spec holds exactly one; `---` may
            stand at its very start. Move the second document to a file of its own.
            """)

    /// An alias without an anchor before it.
    public static let unknownAlias = DiagnosticCode(
        "T0007", "an unknown alias",
        example: [ExampleFile("api.yaml", "telex: 1\napi: *name\n")],
        explanation: """
            `*name` repeats the value marked `&name` earlier in the same file. No such anchor
            precedes the alias; anchors of other files do not count. A text that starts with `*`
            needs quotes.
            """)

    /// An alias inside its target.
    public static let selfReference = DiagnosticCode(
        "T0008", "a value that contains itself",
        example: [ExampleFile("users.yaml", "models: &all\n  User: { friends: *all }\n")],
        explanation: """
            The alias is inside the value it repeats, so the value would be infinite. To let a model
            contain values of its own type, name the model: `friends: [User]`.
            """)

    /// Aliases that expand to too many values.
    public static let aliasExpansion = DiagnosticCode(
        "T0009", "aliases that expand to too many values",
        example: [ExampleFile("api.yaml", billionLaughs)],
        explanation: """
            Aliases of aliases multiply: ten lines can expand to a billion values. All aliases of a
            file together may expand to 100,000 values. Use models and mixins to share descriptions.
            """)

    private static let billionLaughs: String = {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...5 {
            let repeated = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(repeated)]\n"
        }
        return text
    }()

    /// Lists and mappings that are nested too deeply.
    public static let nestingTooDeep = DiagnosticCode(
        "T0010", "nesting that is too deep",
        example: [ExampleFile("api.yaml", "api: " + String(repeating: "[", count: 250) + "\n")],
        explanation: """
            Lists and mappings may be nested 200 levels deep, with aliases expanded. A type may have
            100 levels of lists and maps, and an alias may have 100 rules, including those of the
            aliases that it refers to. No API needs more; the limits protect the compiler from
            hostile files.
            """)

    /// A list or mapping as key.
    public static let keyNotScalar = DiagnosticCode(
        "T0011", "a key that is not a text",
        example: [ExampleFile("api.yaml", "telex: 1\n[a, b]: c\n")],
        explanation: """
            YAML allows lists and mappings as keys, a spec does not. Often the brackets are meant as
            text and need quotes: `"[a, b]": c`. A text such as `{id}` before a colon also needs
            them.
            """)

    /// A file that is too large.
    public static let fileTooLarge = DiagnosticCode(
        "T0012", "a file that is too large", example: [],
        explanation: """
            A file of a spec has at most 16 MiB. The specs of the largest known APIs have a quarter
            of that in all. Describe the API in several files, one for each group of methods.
            """)

    /// A file without a document.
    public static let emptyFile = DiagnosticCode(
        "T0013", "an empty file",
        example: [ExampleFile("users.yaml", "# to be written\n")],
        explanation: """
            The file contains only white space and comments. Delete it, or describe something: each
            file but `api.yaml` is a group of methods and models.
            """)

    /// A tag.
    public static let tag = DiagnosticCode(
        "T0015", "a tag",
        example: [ExampleFile("api.yaml", "telex: 1\napi: !!str VK\n")],
        explanation: """
            Tags such as `!!str` tell a YAML reader the type of a value. In a spec the position of a
            value decides its meaning, so tags are not supported. A value that starts with `!` needs
            quotes.
            """)

    /// The merge key of YAML 1.1.
    public static let mergeKey = DiagnosticCode(
        "T0016", "a merge key",
        example: [
            ExampleFile(
                "users.yaml", "models:\n  A: &a { id: int }\n  B: { <<: *a, name: string }\n")
        ],
        explanation: """
            `<<` is a feature of YAML 1.1 that YAML 1.2 does not have. Write the keys out, or share
            fields between models with a mixin. As a name it needs quotes: `"<<"`.
            """)

    /// A directive other than `%YAML`.
    public static let directive = DiagnosticCode(
        "T0017", "a directive",
        example: [ExampleFile("api.yaml", "%TAG ! tag:example.com,2000:\n---\ntelex: 1\n")],
        explanation: """
            Lines that start with `%` before the document instruct a YAML reader. Only `%YAML` is
            supported. Delete the line.
            """)

    /// A quote or bracket that is never closed.
    public static let unclosed = DiagnosticCode(
        "T0018", "a quote or bracket that is not closed",
        example: [ExampleFile("api.yaml", "telex: 1\napi: \"VK\n")],
        explanation: """
            The file ends inside quotes or brackets. The diagnostic points to the opening one. If
            the character is part of a text, put the text in quotes; inside single quotes write `''`
            for one.
            """)

    /// A wrong escape in double quotes.
    public static let escape = DiagnosticCode(
        "T0019", "a wrong escape",
        example: [ExampleFile("api.yaml", "telex: 1\napi: \"V\\K\"\n")],
        explanation: """
            In double quotes a backslash starts an escape: `\\n`, `\\t`, `\\"`, `\\\\`, `\\x41`,
            `\\u0041`, `\\U0001F600` and a few more (YAML 1.2.2, chapter 5.7). In single quotes it
            is a character like any other, which suits patterns: `'\\d+'`.
            """)

    /// A Unicode space, or curly quotes.
    public static let lookalike = DiagnosticCode(
        "T0020", "a character that only looks like YAML",
        example: [ExampleFile("api.yaml", "telex: 1\napi: “VK”\n")],
        explanation: """
            Word processors and web pages use no-break spaces and curly quotes (`“ ”`, `‘ ’`)
            instead of those of the keyboard. YAML treats both as letters, so they would become part
            of a name or a value. Write an ordinary space, `"` or `'`. An intended one needs quotes:
            `"“VK”"`. In the middle of a text, both are fine.
            """)
}
