/// T10xx: descriptions of other formats that `telex import` reads. They are no files of a spec, so
/// they have no example.
extension DiagnosticCode {
    static let importCodes: [DiagnosticCode] = [
        .jsonSyntax, .notDescription, .unknownReference, .outsideReference,
        .badExtension,
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
            `telex import openapi` reads OpenAPI 2.0 (Swagger), 3.0 and 3.1. One of the files has to
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
            file has nothing at this place: correct the reference, or add what is missing.
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

    /// An `x-telex` of a wrong shape.
    public static let badExtension = DiagnosticCode(
        "T1005", "`x-telex` that says nothing",
        example: [],
        explanation: """
            `telex export openapi` writes what OpenAPI has no word for under `x-telex`, and `telex
            import openapi` reads it back. Its members have the shapes that a spec has at this place.
            Undo the change, export the spec again, or remove `x-telex` from the root: the rest is
            then imported as any description.
            """)
}
