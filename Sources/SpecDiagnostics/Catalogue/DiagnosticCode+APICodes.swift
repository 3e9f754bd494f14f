/// T06xx: the API as a whole.
extension DiagnosticCode {
    static let apiCodes: [DiagnosticCode] = [
        .badServerURL, .undeclaredVariable, .authWithoutScheme, .insecureServer, .badToken,
        .mixedErrorCodes, .badLink, .badRefreshURL, .impossibleSuccess,
        .bodilessSuccess, .endlessToken,
    ]

    /// An invalid URL of a server.
    public static let badServerURL = DiagnosticCode(
        "T0601", "an invalid URL of a server",
        example: [
            ExampleFile("api.yaml", "telex: 1\napi: VK\nservers: { production: api.vk.com }\n"),
            ExampleFile("users.yaml", [ExampleFile].soundGroup),
        ],
        explanation: """
            The URL of a server is absolute: `https://` or `http://`, a host, optionally a port up
            to 65535, and optionally a path that all methods share. It has no user, no query and no
            fragment; values sent with every request belong under `parameters`. Braces contain the
            names of variables.

            ```yaml
            servers: { production: https://api.vk.com/method/ }
            ```
            """)

    /// A variable without a description.
    public static let undeclaredVariable = DiagnosticCode(
        "T0602", "an undeclared server variable", severity: .warning,
        example: [
            ExampleFile(
                "api.yaml",
                """
                telex: 1
                api: VK
                servers:
                  local: https://127.0.0.1:{port}/method/

                """),
            ExampleFile("users.yaml", [ExampleFile].soundGroup),
        ],
        explanation: """
            The URL has a name in braces that `variables` does not describe, so no request can be
            sent until the app sets its value. Declare it with a default, with its allowed values,
            or with nothing if the app has to choose:

            ```yaml
            servers:
              local:
                url: https://127.0.0.1:{port}/method/
                variables: { port: 8080 }
              own:
                url: https://{instance}/method/
                variables: { instance: {} }      # the app has to say which
            ```
            """)

    /// Authentication that the API does not describe.
    public static let authWithoutScheme = DiagnosticCode(
        "T0603", "authentication without a scheme",
        example: .folder(method: "auth: required\n"),
        explanation: """
            The method needs a token, but `api.yaml` does not declare where a request carries it: it
            has no `auth`, or none of its schemes has the name that the method writes.

            ```yaml
            # api.yaml
            auth: { oauth2: { token: bearer } }
            ```
            """)

    /// Credentials over plain HTTP.
    public static let insecureServer = DiagnosticCode(
        "T0604", "credentials over plain HTTP", severity: .warning,
        example: [
            ExampleFile(
                "api.yaml",
                """
                telex: 1
                api: VK
                servers: { production: http://api.vk.com/method/ }
                auth: { oauth2: { token: bearer } }

                """),
            ExampleFile("users.yaml", [ExampleFile].soundGroup),
        ],
        explanation: """
            Requests to this server carry a token, and with `http://` it can be intercepted and
            reused (RFC 6750 §5.3). Servers on the local machine (`localhost`, `127.0.0.1`) are
            exempt, and so is a server of a trusted network that says `insecure: true`.

            ```yaml
            servers:
              production: https://api.vk.com/method/
              intranet: { url: http://vk.intranet/method/, insecure: true }
            ```
            """)

    /// A token that cannot be placed.
    public static let badToken = DiagnosticCode(
        "T0605", "a token that cannot be placed",
        example: .folder(
            api: "auth: { token: { token: { in: header, name: \"X Token\" } } }\n"),
        explanation: """
            The name is not valid for this placement of the token, or the entry has a key that the
            placement does not support: headers and cookies have names without spaces and
            separators, only a header has a `prefix`, and a bearer token has neither a name nor a
            prefix. A header that the request sets itself, such as `Host`, carries no token.

            ```yaml
            auth: { token: { token: { in: header, name: X-Token, prefix: "Key " } } }
            ```

            A token in the body is a field of it. A method without a body, or with a body that is
            neither a form nor an object, needs `auth: none`. So does a method whose path lacks the
            placeholder of a token in the path. Two tokens of one method go into different places.

            A method that returns a token (`refresh: { method: … }`) is called by itself, so it has
            no parameters and does not need such a token.
            """)

    /// Error codes of two kinds.
    public static let mixedErrorCodes = DiagnosticCode(
        "T0606", "error codes of two kinds",
        example: .folder(
            api: """
                errors:
                  code: error_code
                  cases: { unknown: 1, captchaNeeded: need_captcha }

                """),
        explanation: """
            The codes of an API are all integers or all texts; Swift's `ErrorCode` has one type. If
            the API sends numbers as text, quote them all.

            ```yaml
            cases: { unknown: "1", captchaNeeded: need_captcha }
            ```
            """)

    /// An invalid link.
    public static let badLink = DiagnosticCode(
        "T0607", "a link that is not a URL",
        example: .folder(method: "link: dev.vk.com/method/users.get\n"),
        explanation: """
            `link` is part of the documentation of the generated Swift, so it must be an absolute
            URL that begins with `https://` or `http://`, without spaces.

            ```yaml
            link: https://dev.vk.com/method/users.get
            ```
            """)

    /// Conditions of success that no reply can fulfil.
    public static let impossibleSuccess = DiagnosticCode(
        "T0609", "contradicting conditions of success",
        example: .folder(
            api: """
                success:
                  absent: error
                  where: { error: false }

                """),
        explanation: """
            All conditions of `success` must hold, and two of them contradict each other: a key must
            be absent and have a value or members, or a key path leads through a key that has a
            plain value. A code that `errors` marks as retryable, or that `expired` names, is not a
            success either. Remove one of the two:

            ```yaml
            success:
              where: { error: false }
            ```

            A group or a method inherits the conditions of the API: `absent: none` removes one.
            """)

    /// A success status without the returned value.
    public static let bodilessSuccess = DiagnosticCode(
        "T0610", "a success status without a value", severity: .warning,
        example: .folder(
            method: "headers: { If-None-Match: string? }\nsuccess: { status: [200, 304] }\n"
                + "returns: string\n"),
        explanation: """
            Replies with the statuses 204, 205 and 304 have no body (RFC 9110 §15.3.5, §15.3.6 and
            §15.4.5), so they have no value: if `success` names one of them and the method returns a
            value, each such reply would be an error. If there may be no value, write `T | null`,
            which is null then. An app that sends conditional requests need not name 304: without
            it, the call throws an `APIError` whose `reason` is `.status(304)`.

            ```yaml
            users.get:
              get: users.get
              headers: { If-None-Match: string? }
              returns: User
            ```
            """)

    /// A refresh without a sign of an expired token.
    public static let endlessToken = DiagnosticCode(
        "T0611", "a refresh without a sign of an expired token", severity: .warning,
        example: [
            ExampleFile(
                "api.yaml",
                "telex: 1\napi: VK\nservers: { main: https://api.vk.com/ }\n"
                    + "auth: { account: { token: bearer, refresh: app } }\n"),
            ExampleFile("users.yaml", "methods:\n  users.get: { get: users.get, returns: json }\n"),
        ],
        explanation: """
            `refresh` sets how a token is refreshed, and `expired` which replies trigger it. Without
            `expired`, a token is refreshed only at the end of its lifetime. If the server rejects
            it earlier, or if its lifetime is unknown, each call with it fails. Most servers reject
            it with 401 (RFC 6750 §3.1), others with a code in the body. If no reply indicates it,
            write `expired: none`.

            ```yaml
            auth: { account: { token: bearer, expired: 401, refresh: app } }
            ```
            """)
}
