/// T02xx: names and references.
extension DiagnosticCode {
    static let nameCodes: [DiagnosticCode] = [
        .unknownType, .duplicateModel, .duplicateMethod, .unknownServer, .unusedModel,
        .missingAPI, .severalAPIs, .duplicateErrorCode, .badGroupName, .unusedVariable,
        .unknownErrorCode, .unknownQueue, .unknownErrorCase, .unknownReplacement,
        .badCapability, .versionDrift,
    ]

    /// An undeclared type.
    public static let unknownType = DiagnosticCode(
        "T0201", "unknown type",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: [Usr] }
                  users.me: { get: users.me, returns: User }
                models:
                  User: { id: int }

                """),
        explanation: """
            The word is neither a type of the language nor a model that a file of the folder
            declares. Names are case-sensitive: `Date` is a type, `date` is not. Models are visible
            in all files of the folder.

            ```yaml
            models:
              User: { id: int }
            ```
            """)

    /// Two models of one name.
    public static let duplicateModel = DiagnosticCode(
        "T0202", "a model is declared twice",
        example: .folder()
            + [
                ExampleFile(
                    "friends.yaml",
                    """
                    methods:
                      friends.get: { get: friends.get, returns: [User] }
                    models:
                      User: { id: int }

                    """),
                ExampleFile("wall.yaml", "models:\n  User: { id: int, name: string }\n"),
            ],
        explanation: """
            Models are visible in all files of the folder, so a name can be declared only once. If
            both declarations are the same, keep one; otherwise rename one of them:

            ```yaml
            models:
              WallUser: { id: int, name: string }
            ```
            """)

    /// Two methods of one name.
    public static let duplicateMethod = DiagnosticCode(
        "T0203", "a method is declared twice",
        example: .folder(
            users: """
                methods:
                  get: { get: users.get, returns: string }
                  users.get: { get: users.get.v2, returns: string }

                """),
        explanation: """
            A key without a dot, slash or colon gets the group's name as a prefix: in `users.yaml`,
            `get` and `users.get` are the same method. Method names are unique across all files.
            Remove one of the two, or rename it:

            ```yaml
            methods:
              users.get: { get: users.get, returns: string }
              users.getExtended: { get: users.get.v2, returns: string }
            ```
            """)

    /// A server that `api.yaml` does not declare.
    public static let unknownServer = DiagnosticCode(
        "T0204", "unknown server",
        example: .folder(method: "server: prodution\n"),
        explanation: """
            `server` takes a name that `servers` of `api.yaml` declares, not a URL.

            ```yaml
            servers:
              production: https://api.vk.com/method/
              upload: https://pu.vk.com/
            ```
            """)

    /// A model without references.
    public static let unusedModel = DiagnosticCode(
        "T0205", "unused model", severity: .warning,
        example: .folder(users: [ExampleFile].soundGroup + "models:\n  User: { id: int }\n"),
        explanation: """
            No method, error or parameter refers to the model, directly or through other models, so
            no code is generated to read or write it. Often the method that should return it names
            another type. Use the model or remove it:

            ```yaml
            users.get: { get: users.get, returns: [User] }
            ```
            """)

    /// A folder without `api.yaml`.
    public static let missingAPI = DiagnosticCode(
        "T0206", "no `api.yaml`",
        example: [ExampleFile("users.yaml", [ExampleFile].soundGroup)],
        explanation: """
            A spec folder describes one API, and `api.yaml` in the folder itself (not in an inner
            folder) contains its name, its servers and its error format. Without it there is no
            server to send a request to. The minimum is

            ```yaml
            telex: 1
            api: VK
            servers: { production: https://api.vk.com/method/ }
            ```

            If the folder contains the specs of several APIs, pass their folders one by one.
            """)

    /// Both `api.yaml` and `api.yml`.
    public static let severalAPIs = DiagnosticCode(
        "T0207", "several API files",
        example: .folder() + [ExampleFile("api.yml", [ExampleFile].soundAPI)],
        explanation: """
            A spec folder describes one API in one `api.yaml`; `api.yml` is another name for the
            same file. Keep one of them. A second API gets a folder of its own.
            """)

    /// Two names for one error code.
    public static let duplicateErrorCode = DiagnosticCode(
        "T0208", "an error code is named twice",
        example: .folder(
            api: """
                errors:
                  code: error_code
                  cases:
                    tooManyRequests: 6
                    floodControl: 6

                """),
        explanation: """
            With two names for a code, an app would see either one by chance. Give each code one
            name:

            ```yaml
            cases:
              tooManyRequests: 6
              floodControl: 9
            ```
            """)

    /// A file whose name cannot become a Swift name.
    public static let badGroupName = DiagnosticCode(
        "T0209", "a file name that cannot name a group",
        example: .folder() + [ExampleFile("+++.yaml", "models: {}\n")],
        explanation: """
            A group is named after its file: `users.yaml` becomes `manager.users`, `UsersAPI` and
            `Users.swift`. The name consists of letters, digits, `-` and `_`, with at least one
            letter or digit; `api` is reserved for the API itself. A dot separates a folder from a
            file (`shop/items.yaml` is `shop.items`), so names contain no dots. Rename the file:
            `plus.yaml`.
            """)

    /// A variable that is not in the URL.
    public static let unusedVariable = DiagnosticCode(
        "T0210", "a server variable is not used", severity: .warning,
        example: [
            ExampleFile(
                "api.yaml",
                """
                telex: 1
                api: VK
                servers:
                  local:
                    url: https://127.0.0.1/method/
                    variables: { port: 8080 }

                """),
            ExampleFile("users.yaml", [ExampleFile].soundGroup),
        ],
        explanation: """
            `variables` describes the names in braces of the server's URL, and the URL has no such
            name, so a value that the app sets has no effect. Add it to the URL, or remove it.

            ```yaml
            local: { url: "https://127.0.0.1:{port}/method/", variables: { port: 8080 } }
            ```
            """)

    /// A code that no error can have.
    public static let unknownErrorCode = DiagnosticCode(
        "T0211", "an unknown error code", severity: .warning,
        example: .folder(
            api: """
                errors: { code: error_code, cases: { invalidAccessToken: 5 } }
                auth:
                  oauth2:
                    token: { in: query, name: access_token }
                    expired: { error: 50 }

                """),
        explanation: """
            `expired` names the error of the API that means "log in again": the code or the name of
            one of `errors.cases`. With a misspelt one, the app would never request a new token.

            ```yaml
            errors: { code: error_code, cases: { invalidAccessToken: 5 } }
            auth: { oauth2: { token: bearer, expired: { error: 5 } } }
            ```
            """)

    /// A replacement that does not exist.
    public static let unknownReplacement = DiagnosticCode(
        "T0215", "an unknown method in `use`", severity: .warning,
        example: .folder(method: "deprecated: { use: users.fetch }\n"),
        explanation: """
            `use` of a deprecated method is the name of its replacement in the spec, or a sentence.
            A name that is not a method of the spec would mislead readers of the documentation.
            Within its group a method may be named without the group.

            ```yaml
            users.get:
              get: users.get
              deprecated: { since: "5.1", use: users.find }
            users.find: { get: users.find }
            ```
            """)

    /// A capability that cannot be made.
    public static let badCapability = DiagnosticCode(
        "T0216", "a capability that cannot be made",
        example: .folder(
            users: """
                capabilities: { UserReading: [users.fetch] }
                methods:
                  users.get: { get: users.get }
                """),
        explanation: """
            A capability is a protocol with a part of the methods of one file, so that a screen
            depends on no more than it uses. It names methods of its own file, with or without the
            group, and no method is in two of them; an app combines protocols instead.

            ```yaml
            capabilities:
              UserReading: [get, search]
              UserEditing: [save]
            ```
            """)

    /// Versions of the API that differ.
    public static let versionDrift = DiagnosticCode(
        "T0217", "versions of the API that differ", severity: .warning,
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, query: { v: { const: "5.199" } } }
                  users.find: { get: users.find, query: { v: { const: "5.131" } } }
                """),
        explanation: """
            A parameter or header such as `v`, `version` or `api-version` has one constant value in
            some methods and another one in others. Replies of different versions rarely have the
            same shape, and the difference is usually an oversight. Declare the version once, for the
            whole API:

            ```yaml
            parameters: { v: "5.199" }
            ```
            """)
}
