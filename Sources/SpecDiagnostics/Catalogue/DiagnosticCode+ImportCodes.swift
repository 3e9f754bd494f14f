/// T10xx: what `telex import` reads. That is no file of a spec, or not one alone, so they have no
/// example.
extension DiagnosticCode {
    static let importCodes: [DiagnosticCode] = [
        .jsonSyntax, .notDescription, .unknownReference, .outsideReference, .mergeConflict,
        .importRecord, .overlayEntry, .badExtension, .unmended,
    ]

    /// Text that is not JSON.
    public static let jsonSyntax = DiagnosticCode(
        "T1001", "a JSON syntax error",
        example: [],
        explanation: """
            A file that begins with `{` or `[` is read as JSON (RFC 8259), and it is not valid from
            here on. Usual causes are a comma before a closing bracket, single quotes, comments, and
            a text with a line break. Correct the file, or export it again.
            """)

    /// A file that is no description of an API.
    public static let notDescription = DiagnosticCode(
        "T1002", "a file that is no OpenAPI description",
        example: [],
        explanation: """
            `telex import openapi` reads OpenAPI 2.0 (Swagger) and 3.0 to 3.2. One of the files has to
            begin with `swagger: "2.0"`, `openapi: 3.0.…` or `openapi: 3.1.…`, and to have `paths`.
            The other files are parts, to which it refers with `$ref`.
            """)

    /// A `$ref` to something that does not exist.
    public static let unknownReference = DiagnosticCode(
        "T1003", "a reference that leads nowhere",
        example: [],
        explanation: """
            A `$ref` names a place with a JSON pointer (RFC 6901), such as
            `#/components/schemas/User`. In a key, `/` is written `~1` and `~` is written `~0`. The
            file has nothing at this place: correct the reference, or add what is missing. In a
            description that Telex did not write, it is a loss in the report instead.
            """)

    /// A `$ref` to another file or server.
    public static let outsideReference = DiagnosticCode(
        "T1004", "a reference to a file that was not given",
        example: [],
        explanation: """
            A `$ref` names another file. Nothing but the files of the command line is read, so name
            that file, too:

            ```
            telex import openapi api.yaml schemas/user.yaml --output Specs
            ```

            What is on a server is not loaded: download it, and refer to the file.
            """)

    /// A change of a description that contradicts an edit of the spec.
    public static let mergeConflict = DiagnosticCode(
        "T1005", "an edit that a new import contradicts",
        example: [],
        explanation: """
            Since the last import, both the description and the spec changed the same entry, in
            different ways; or one of them removed what the other changed. `telex import … --update`
            cannot know which is right, so the spec keeps its text. Compare the two values of the
            message, and correct the entry if the change matters. The next update starts from the
            description as it is now, and does not report the conflict again.

            Nothing can be merged into an alias, a value with an anchor, whose aliases would change
            with it, or a file that is no mapping.
            """)

    /// A folder whose last import is not known.
    public static let importRecord = DiagnosticCode(
        "T1006", "a missing or damaged record of the last import",
        example: [],
        explanation: """
            An import writes its files a second time to `.telex-import` in the spec folder. By
            this record, `--update` tells what was edited since, and what the description changed.
            It belongs under version control beside the spec, and is not meant to be edited. If it
            is missing or damaged, restore it from there. Without it, import to a fresh folder and
            repeat the edits, or write `--force`, which overwrites them.
            """)

    /// An entry of an overlay that changes nothing.
    public static let overlayEntry = DiagnosticCode(
        "T1007", "an entry of an overlay that meets nothing",
        example: [],
        explanation: """
            An overlay changes what an import makes, so it names methods, models, fields and
            parameters as the import does. This name is none of them. Correct it; to add something
            new, write all of it: a method with its verb and path, a model, field or parameter with
            its type. `null` removes what there is.
            """)

    /// An `x-telex` of a wrong shape.
    public static let badExtension = DiagnosticCode(
        "T1008", "`x-telex` that says nothing",
        example: [],
        explanation: """
            `telex export openapi` writes what OpenAPI has no word for under `x-telex`, and `telex
            import openapi` reads it back. Its members have the shapes that a spec has at this place.
            Undo the change, export the spec again, or remove `x-telex` from the root: the rest is
            then imported as any description.
            """)

    /// A description of which an import makes no spec that compiles.
    public static let unmended = DiagnosticCode(
        "T1009", "a description whose spec does not compile",
        example: [],
        explanation: """
            An import compiles its spec before it writes the files. What the compiler refuses becomes
            `json`, or is left out, and is in the report. Here that did not help: the message names what
            is still refused. Leave the operation out with `--exclude`. It is a mistake of Telex, so
            please report it with the description.
            """)
}
