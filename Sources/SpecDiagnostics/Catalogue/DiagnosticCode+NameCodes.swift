/// T02xx: names, and what they stand for.
extension DiagnosticCode {
    static let nameCodes: [DiagnosticCode] = [
        .unknownType, .duplicateModel, .duplicateMethod, .unknownServer, .unusedModel,
        .missingAPI, .severalAPIs, .duplicateErrorCode, .badGroupName, .unusedVariable,
        .unknownErrorCode, .unknownQueue, .unknownErrorCase, .unknownReplacement,
    ]

    /// A type that nothing declares.
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
            declares. Names are case-sensitive: `Date` is a type, `date` is not. Models are known in
            all files, wherever they stand.

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
            Models are known in all files of the folder, so a name stands for one model. If both
            declarations mean the same, keep one; if not, give one of them a name that says what it
            is:

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
            A key without a dot, slash or colon gets the group's name in front: in `users.yaml`,
            `get` and `users.get` are the same method. Method names are known in all files. Remove
            one of the two, or rename it:

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
            `server` takes a name that `servers` of `api.yaml` declares, not an address.

            ```yaml
            servers:
              production: https://api.vk.com/method/
              upload: https://pu.vk.com/
            ```
            """)

    /// A model that nothing leads to.
    public static let unusedModel = DiagnosticCode(
        "T0205", "unused model", severity: .warning,
        example: .folder(users: [ExampleFile].soundGroup + "models:\n  User: { id: int }\n"),
        explanation: """
            No method, error or parameter leads to the model, directly or through other models, so
            nothing is generated to read or write it. Often the method that should return it names
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
            A spec folder describes one API, and `api.yaml` in the folder itself (not in a folder
            inside) says what holds for all of it: the name, the servers, how errors look. Without
            it there is nothing to send a request to. The least it says is

            ```yaml
            telex: 1
            api: VK
            servers: { production: https://api.vk.com/method/ }
            ```

            If the folder holds the specs of several APIs, pass their folders one by one.
            """)

    /// Both `api.yaml` and `api.yml`.
    public static let severalAPIs = DiagnosticCode(
        "T0207", "several API files",
        example: .folder() + [ExampleFile("api.yml", [ExampleFile].soundAPI)],
        explanation: """
            A spec folder describes one API in one `api.yaml`; `api.yml` is another spelling of the
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
            An app that asks which error it got would see one name or the other by chance. Give each
            code one name:

            ```yaml
            cases:
              tooManyRequests: 6
              floodControl: 9
            ```
            """)

    /// A file whose name makes no Swift name.
    public static let badGroupName = DiagnosticCode(
        "T0209", "a file name that makes no group",
        example: .folder() + [ExampleFile("+++.yaml", "models: {}\n")],
        explanation: """
            A group is named after its file: `users.yaml` becomes `manager.users`, `UsersAPI` and
            `Users.swift`. The name is of letters, digits, `-` and `_`, one letter or digit at least,
            and `api` belongs to the API itself. A dot stands between a folder and a file
            (`shop/items.yaml` is `shop.items`), so names have none themselves. Rename the file:
            `plus.yaml`.
            """)

    /// A variable that the address does not hold.
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
            `variables` describes what stands in braces in the server's address, and the address has
            no such braces: whatever the app sets, it has no effect. Put it into the address or
            remove it.

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
            `expired` says which error of the API means "log in again". It takes the code or the
            name of one of `errors.cases`; a misspelt one would mean that the app never asks for a
            new token.

            ```yaml
            errors: { code: error_code, cases: { invalidAccessToken: 5 } }
            auth: { oauth2: { token: bearer, expired: { error: 5 } } }
            ```
            """)

    /// A method that is to be used in place of another, and does not exist.
    public static let unknownReplacement = DiagnosticCode(
        "T0215", "an unknown method in `use`", severity: .warning,
        example: .folder(method: "deprecated: { use: users.fetch }\n"),
        explanation: """
            `use` of a deprecated method names the one to call in its place, as the spec has it, or a
            sentence that says what to do. What looks like a method's name and is none would send
            whoever reads it looking for nothing. Within its group a method may be named without the
            group.

            ```yaml
            users.get:
              get: users.get
              deprecated: { since: "5.1", use: users.find }
            users.find: { get: users.find }
            ```
            """)
}
