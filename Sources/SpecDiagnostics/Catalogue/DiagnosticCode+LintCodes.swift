/// Codes about warnings that a spec switches on and off.
extension DiagnosticCode {
    static let lintCodes: [DiagnosticCode] = [
        badLint, badIgnore, unusedIgnore, undocumentedMethod, undocumentedField, nameInOtherCase,
        undocumentedCase, unstatedSecret, listWithoutPages,
    ]

    /// `lint` names no code of a warning.
    public static let badLint = DiagnosticCode(
        "T1101", "no code of a warning",
        example: .folder(api: "lint: { T0101: off }\n"),
        explanation: """
            `lint` in `api.yaml` says of the codes of warnings what becomes of them: `error`,
            `warning` or `off`. Errors keep a spec from being compiled, so they cannot be switched
            off.

            ```yaml
            # api.yaml
            lint: { T0205: off }
            ```
            """)

    /// A comment `telex:ignore` without code or reason.
    public static let badIgnore = DiagnosticCode(
        "T1102", "a comment that ignores nothing", severity: .warning,
        example: .folder(users: "# telex:ignore T9999 no such code\n" + soundUsers),
        explanation: """
            A comment `# telex:ignore` names the codes of the warnings that it ignores, and says why:
            who reads the spec later has to decide whether the reason still holds.

            ```yaml
            methods:
              users.get: { get: "users/:id" }    # telex:ignore T0516 the server wants the colon
            ```
            """)

    /// A comment `telex:ignore` that is not needed.
    public static let unusedIgnore = DiagnosticCode(
        "T1103", "a comment that ignores no warning", severity: .warning,
        example: .folder(users: "# telex:ignore T0205 used by the app\n" + soundUsers),
        explanation: """
            The line or the entry that the comment is about has no such warning any more. Without the
            comment, a later mistake is reported again, so remove it.

            ```yaml
            methods:
              users.get: { get: users.get }
            ```
            """)

    /// Off by default: a method has `doc`.
    public static let undocumentedMethod = DiagnosticCode(
        "T1110", "a method without documentation", severity: .warning,
        example: .folder(
            api: "lint: { T1110: warning }\n", users: "methods: { users.get: { get: users.get } }\n"
        ),
        explanation: """
            With `lint: { T1110: warning }`, each method has a `doc`, which becomes the comment of its
            Swift function.

            ```yaml
            methods:
              users.get: { get: users.get, doc: The user who is logged in. }
            ```
            """)

    /// Off by default: a field has `doc`.
    public static let undocumentedField = DiagnosticCode(
        "T1111", "a field without documentation", severity: .warning,
        example: .folder(
            api: "lint: { T1111: warning }\n",
            users: """
                methods: { users.get: { get: users.get, returns: User } }
                models: { User: { id: int } }

                """),
        explanation: """
            With `lint: { T1111: warning }`, each field of a model has a `doc`, which becomes the comment
            of its property.

            ```yaml
            models:
              User: { id: { type: int, doc: Never changes. } }
            ```
            """)

    /// Off by default: names are in one case.
    public static let nameInOtherCase = DiagnosticCode(
        "T1112", "a name in another case", severity: .warning,
        example: .folder(
            api: "lint: { T1112: warning }\n",
            users: """
                methods: { users.get: { get: users.get, returns: User } }
                models: { User: { user_id: int, first_name: string, lastName: string } }

                """),
        explanation: """
            With `lint: { T1112: warning }`, the names of fields and parameters are in the case that most
            of them have. Header fields do not count. If the server has both cases, say so behind the
            name:

            ```yaml
            models:
              User:
                user_id: int
                first_name: string
                lastName: string    # telex:ignore T1112 the server calls it so
            ```
            """)

    /// Off by default: an error case has `doc`.
    public static let undocumentedCase = DiagnosticCode(
        "T1113", "an error case without documentation", severity: .warning,
        example: .folder(
            api: """
                lint: { T1113: warning }
                errors: { at: error, code: code, cases: { notFound: not_found } }

                """),
        explanation: """
            With `lint: { T1113: warning }`, each case of `errors` has a `doc`, which becomes the comment
            of the code's Swift name.

            ```yaml
            # api.yaml
            errors:
              at: error
              code: code
              cases: { notFound: { code: not_found, doc: It was deleted. } }
            ```
            """)

    /// Off by default: what looks like a secret says whether it is one.
    public static let unstatedSecret = DiagnosticCode(
        "T1114", "a secret by its name alone", severity: .warning,
        example: .folder(
            api: "lint: { T1114: warning }\n",
            users: """
                methods: { users.join: { post: users, json: { password: string } } }

                """),
        explanation: """
            A value whose name is that of a secret is redacted in logs and errors. With
            `lint: { T1114: warning }`, the spec says of each whether it is one, so that another name
            does not change what logs show.

            ```yaml
            methods:
              users.join: { post: users, json: { password: { type: string, sensitive: true } } }
            ```
            """)

    /// Off by default: a list with a limit has `pages`.
    public static let listWithoutPages = DiagnosticCode(
        "T1115", "a part of a list without pages", severity: .warning,
        example: .folder(
            api: "lint: { T1115: warning }\n",
            users: """
                methods:
                  users.list: { get: users, query: { offset: int?, limit: int? }, returns: [string] }

                """),
        explanation: """
            A method with a parameter such as `limit` returns a part of a list. With
            `lint: { T1115: warning }`, it has `pages`, by which an app reads the whole list in a loop.

            ```yaml
            methods:
              users.list:
                get: users
                query: { offset: int?, limit: int? }
                returns: [string]
                pages: { items: $body, offset: offset }
            ```
            """)

    private static let soundUsers = "methods: { users.get: { get: users.get } }\n"
}
