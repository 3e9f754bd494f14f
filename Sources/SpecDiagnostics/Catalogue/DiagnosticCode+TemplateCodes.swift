/// T09xx: templates of replies.
extension DiagnosticCode {
    static let templateCodes: [DiagnosticCode] = [
        .badTemplate, .templateMismatch, .doubtfulTemplate, .unknownTemplate, .severalTemplates,
        .unusedTemplate, .templateDoesNotApply, .badReply, .templateExists,
    ]

    /// A template that is no JSON, or has a mistake in its rules.
    public static let badTemplate = DiagnosticCode(
        "T0901", "a malformed template",
        example: .folder(
            template: #"{ "id": 1, "age": 20, "age-Rules": { "minimun": 18 } }"#),
        explanation: """
            A template is a good reply in JSON, at most 8 MiB and nested at most 128 levels deep. It
            may also have comments, and a comma after the last element. The value of a key may have
            rules beside it, in an object whose key has the suffix `-Rules`. Each rule has a known
            name, an argument of its kind, and a value of a kind that it is about.

            ```json
            { "age": 20, "age-Rules": { "minimum": 18 } }
            ```
            """)

    /// A template that contradicts the declared type.
    public static let templateMismatch = DiagnosticCode(
        "T0902", "a template that does not fit the types",
        example: .folder(template: #"{ "id": 1, "age": "20" }"#),
        explanation: """
            The template of a method is a whole reply, and `returns` tells what is in it, where
            `unwrap` leads to. Either the template is no good reply, or the type is wrong: a value is
            of another kind, a key is missing or is not declared, or a rule of the template leaves no
            value that the type allows. The message shows both places. Null fits every type.

            ```yaml
            User: { id: int, age: string }
            ```
            """)

    /// A template that can be used, but probably means something else.
    public static let doubtfulTemplate = DiagnosticCode(
        "T0903", "a template that may mean something else", severity: .warning,
        example: .folder(
            template: #"{ "id": 1, "age": 20, "age-Rules": { "minimum": 21 } }"#),
        explanation: """
            The value in a template breaks its own rule, an integer stands for a type of all numbers,
            or, with `templates: { compatibility: original }`, a rule means something else than its
            name says. The template is used as it is written. Correct the value or the rule; a number
            that may have a fraction is written with one, `10.0`.

            ```json
            { "age": 20, "age-Rules": { "minimum": 18 } }
            ```
            """)

    /// A template that the spec folder does not have.
    public static let unknownTemplate = DiagnosticCode(
        "T0904", "a template that does not exist",
        example: .folder(method: "template: users.get.json\n"),
        explanation: """
            `template` names a file in the folder `templates` of the spec, with its ending and without
            a folder. A template that is called like its method, `templates/users.get.json`, is found
            without the key.

            ```yaml
            users.get: { get: users.get, returns: User, template: user.json }
            ```
            """)

    /// A method with a named template and another one called like it.
    public static let severalTemplates = DiagnosticCode(
        "T0905", "two templates for one method",
        example: .folder(
            template: #"{ "id": 1, "age": 20 }"#, method: "template: user.json")
            + [ExampleFile("templates/user.json", "{ \"id\": 1, \"age\": 20 }\n")],
        explanation: """
            `template` names a file, and another file in `templates` is called like the method, so
            either could be meant. Remove one of them, or leave `template` out. Several methods may
            share a template.
            """)

    /// A template that no method has.
    public static let unusedTemplate = DiagnosticCode(
        "T0906", "a template that no method has", severity: .warning,
        example: .folder() + [ExampleFile("templates/users.find.json", "{}\n")],
        explanation: """
            A file in `templates` belongs to the method that it is called like, with the group and the
            ending `.json`, and to methods that name it with `template`. This one belongs to none, so
            no reply is checked against it; one in a folder inside of `templates` never does. Rename
            it, name it, move it, or remove it; a name that begins with `.` keeps a file out of the
            spec.

            ```yaml
            users.get: { get: users.get, returns: User, template: users.find.json }
            ```
            """)

    /// A template of a method whose reply is not one JSON value.
    public static let templateDoesNotApply = DiagnosticCode(
        "T0907", "a template of a reply that is not one JSON value",
        example: .folder(method: "returns: text\n")
            + [ExampleFile("templates/users.get.json", "{}\n")],
        explanation: """
            A template describes a reply that is one JSON value. A method that returns nothing, text,
            bytes, a file, a stream or different types by status has no such reply.
            """)

    /// A reply or a recording that the tools cannot read.
    public static let badReply = DiagnosticCode(
        "T0908", "a reply that cannot be read",
        example: [],
        explanation: """
            `telex template` and `telex new --from` take replies as a server sends them: JSON in
            UTF-8, at most 8 MiB and nested at most 128 levels deep. `telex template from-har` takes a
            HAR file (version 1.2) as browsers and proxies save it, with the contents of the replies.

            ```
            curl https://api.example.com/users > reply.json
            telex template add users.list reply.json --spec specs/shop
            ```
            """)

    /// A template that `telex template add` would overwrite.
    public static let templateExists = DiagnosticCode(
        "T0909", "a template that exists",
        example: [],
        explanation: """
            `telex template add` and `from-har` do not overwrite a template. With `--replace` they
            make a new one of the replies and keep the rules of the old one; its comments are lost.
            """)
}
