/// T06xx: the API as a whole.
extension DiagnosticCode {
    static let apiCodes: [DiagnosticCode] = [
        .badServerURL, .undeclaredVariable, .authWithoutScheme, .insecureServer, .badToken,
        .mixedErrorCodes, .badLink, .badRefreshURL, .impossibleSuccess,
        .bodilessSuccess, .endlessToken,
    ]

    /// A server's address that is no URL.
    public static let badServerURL = DiagnosticCode(
        "T0601", "a server address that is no URL",
        example: [
            ExampleFile("api.yaml", "telex: 1\napi: VK\nservers: { production: api.vk.com }\n"),
            ExampleFile("users.yaml", [ExampleFile].soundGroup),
        ],
        explanation: """
            The address of a server is absolute: `https://` or `http://`, a host, a port up to 65535
            if it has one of its own, and a path if all methods share one. It has no user, no query
            and no fragment; what is sent with every
            request stands under `parameters`. Braces hold the names of variables.

            ```yaml
            servers: { production: https://api.vk.com/method/ }
            ```
            """)

    /// A variable that nobody describes.
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
            The address holds a name in braces that `variables` does not describe, so no request can
            be sent until the app gives it a value. Give it a default, the values it may have, or
            nothing at all if the app has to choose:

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
            The method needs a token, but `api.yaml` does not say where a request carries it.

            ```yaml
            # api.yaml
            auth: { oauth2: { token: bearer } }
            ```
            """)

    /// Credentials that anybody on the way can read.
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
            Requests to this server carry a token, and with `http://` everybody on the way can read
            and reuse it (RFC 6750 §5.3). Servers on the machine itself (`localhost`, `127.0.0.1`)
            are exempt.

            ```yaml
            servers: { production: https://api.vk.com/method/ }
            ```
            """)

    /// A token that cannot be placed.
    public static let badToken = DiagnosticCode(
        "T0605", "a token that cannot be placed",
        example: .folder(
            api: "auth: { token: { token: { in: header, name: \"X Token\" } } }\n"),
        explanation: """
            The name cannot stand where the token goes, or the entry says something that this place
            of the token does not have: a header and a cookie have names without spaces and
            separators, only a header has a `prefix`, and a bearer token has neither. A header that
            the request sets itself, such as `Host`, carries no token.

            ```yaml
            auth: { token: { token: { in: header, name: X-Token, prefix: "Key " } } }
            ```

            A token in the body is a field of it. A method whose requests have no body, or one that
            is no form and no object, says `auth: none`.
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
            The codes of an API are all integers or all texts; Swift's `ErrorCode` holds one kind.
            If the API sends numbers as text, quote them all.

            ```yaml
            cases: { unknown: "1", captchaNeeded: need_captcha }
            ```
            """)

    /// A link that leads nowhere.
    public static let badLink = DiagnosticCode(
        "T0607", "a link that is no URL",
        example: .folder(method: "link: dev.vk.com/method/users.get\n"),
        explanation: """
            `link` ends up in the documentation of the generated Swift, where it has to lead
            somewhere: an absolute URL that begins with `https://` or `http://`, without spaces.

            ```yaml
            link: https://dev.vk.com/method/users.get
            ```
            """)

    /// Conditions of success that no reply can fulfil.
    public static let impossibleSuccess = DiagnosticCode(
        "T0609", "a success that no reply can be",
        example: .folder(
            api: """
                success:
                  absent: error
                  where: { error: false }

                """),
        explanation: """
            All that `success` says has to hold, and two things that it says cannot hold together: a key
            is to be absent, and to have a value or others in it; or a value stands where another key
            path leads through. A code by which `errors` says that a call is sent again, or `expired`
            that a token is over, is none of success either. Leave one of the two out:

            ```yaml
            success:
              where: { error: false }
            ```

            What a group or a method does not say is what the API says: `absent: none` drops it.
            """)

    /// A status of success without the value that is promised.
    public static let bodilessSuccess = DiagnosticCode(
        "T0610", "a status of success without a value", severity: .warning,
        example: .folder(
            method: "headers: { If-None-Match: string? }\nsuccess: { status: [200, 304] }\n"
                + "returns: string\n"),
        explanation: """
            Replies with the statuses 204, 205 and 304 have no body (RFC 9110 §15.3.5, §15.3.6 and
            §15.4.5), so there is no value in them: where `success` names one and a value is promised,
            each such reply would be an error. If there may be no value, say so: `T | null` is null
            then. An app that asks whether something has changed need not name 304: without it, the
            call throws an `APIError` whose `reason` is `.status(304)`.

            ```yaml
            users.get:
              get: users.get
              headers: { If-None-Match: string? }
              returns: User
            ```
            """)

    /// New tokens, and no reply that asks for one.
    public static let endlessToken = DiagnosticCode(
        "T0611", "a token that no reply says is over", severity: .warning,
        example: [
            ExampleFile(
                "api.yaml",
                "telex: 1\napi: VK\nservers: { main: https://api.vk.com/ }\n"
                    + "auth: { account: { token: bearer, refresh: app } }\n"),
            ExampleFile("users.yaml", "methods:\n  users.get: { get: users.get, returns: json }\n"),
        ],
        explanation: """
            `refresh` says how a new token is had, and `expired` which replies ask for one. Without
            `expired`, a token is replaced only when the time is over that was told with it; one that
            the server refuses earlier, or that came without a time, fails each call that shows it. Most
            servers refuse it with 401 (RFC 6750 §3.1), others with a code in the body. Where no
            reply says it, write `expired: none`.

            ```yaml
            auth: { account: { token: bearer, expired: 401, refresh: app } }
            ```
            """)
}
