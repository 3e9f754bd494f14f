/// T05xx: methods and their parameters.
extension DiagnosticCode {
    static let methodCodes: [DiagnosticCode] = [
        .missingVerb, .badPath, .unusedPathParameter, .bodyNotAllowed, .badHeader,
        .badCredentialDefault, .duplicateParameter, .emptyMethods, .badKind, .badCoalesce,
        .takenHeader, .unknownParameter, .badBackground, .badStream, .addressAsText, .colonInPath,
        .badProcedure, .badCallValue, .badCache, .rootBesidePrefix,
    ]

    /// A method without a verb.
    public static let missingVerb = DiagnosticCode(
        "T0501", "a method without an HTTP verb",
        example: .folder(users: "methods:\n  users.get: { returns: string }\n"),
        explanation: """
            A method has its verb and its path in one entry: `get`, `post`, `put`, `patch`,
            `delete`, `head` or `options`, in lower case. The path is appended to the server's URL;
            it may be empty. Another HTTP method stands before the path, as the value of `method`.

            ```yaml
            users.get: { get: users.get, returns: string }
            users.find: { method: SEARCH users, returns: string }
            ```
            """)

    /// A path that no request can have.
    public static let badPath = DiagnosticCode(
        "T0502", "a malformed path",
        example: .folder(users: "methods:\n  users.get: { get: \"users/{id\" }\n"),
        explanation: """
            Braces in a path contain the name of a parameter, each name once; `{+name}` keeps the
            slashes of its value. A path has no `?` and
            no `#`: query items, including constants, are written under `query`. The path is
            appended to the server's URL, so it does not begin with `/`, and no segment of it is `.`
            or `..`. After a shared path (`prefix`), a path that begins with `/` leaves that one.
            For a method of another server, declare the server under `servers` and write
            `server: name`. A path that is a single placeholder, `"{url}"`, is a whole URL that the
            caller passes. A path that begins with a brace needs quotes in YAML.

            ```yaml
            users.get: { get: "users/{id}", query: { v: { const: "5.199" } } }
            ```
            """)

    /// A path parameter that is not in the path.
    public static let unusedPathParameter = DiagnosticCode(
        "T0503", "a path parameter that is not in the path",
        example: .folder(
            users: "methods:\n  users.get: { get: \"users/{id}\", path: { user: int } }\n"),
        explanation: """
            `path` sets the types and rules of the names in braces. The path has no such name, so
            the value would not be sent. A name in braces without a description is a text. Beside a
            `prefix`, it describes the names of that shared path alone.

            ```yaml
            users.get: { get: "users/{id}", path: { id: int } }
            ```
            """)

    /// A body that the verb does not have.
    public static let bodyNotAllowed = DiagnosticCode(
        "T0504", "a body where none is sent",
        example: .folder(method: "json: { user_ids: [string] }\n"),
        explanation: """
            The body of a GET or HEAD request has no meaning, and servers and proxies may reject it
            (RFC 9110 §9.3.1 and §9.3.2). Send the values in the query, or use another verb.

            ```yaml
            users.get: { get: users.get, query: { user_ids: [string] } }
            ```
            """)

    /// A header that cannot be sent.
    public static let badHeader = DiagnosticCode(
        "T0505", "a header that cannot be sent",
        example: .folder(api: "headers: { Content-Length: 0 }\n"),
        explanation: """
            A header's name is made of letters, digits and a few marks such as `-` (RFC 9110 §5.1),
            without the colon. Headers that describe the message itself, such as `Content-Length`,
            `Content-Type` and `Host`, are set by the request, and a download sets `Range` and
            `If-Range`. A value contains no line break and no other control character, and no space
            at its ends (§5.5).

            ```yaml
            headers: { Accept-Language: en }
            ```
            """)

    /// A credential reference that cannot be resolved.
    public static let badCredentialDefault = DiagnosticCode(
        "T0506", "a credential default that cannot work",
        example: .folder(
            method: "query:\n  owner_id: { type: string, default: $token.user_id }\n"),
        explanation: """
            `default: $token.user_id` takes a value of the credential, for instance the ID of the
            logged-in user. The API needs an `auth`, the default must belong to a parameter, and the
            parameter must be a text or an integer. The reference must be the whole default: in a
            list, after other text, as a `const`, as a plain value of every request or in the text
            of a path, it would be sent literally. To send it with every request or in a path,
            declare a parameter: `{ type: string, default: $token.user_id }`.

            ```yaml
            # api.yaml
            auth: { oauth2: { token: { in: query, name: access_token } } }
            # users.yaml
            owner_id: { type: string, default: $token.user_id }
            ```
            """)

    /// Two parameters with one name and location.
    public static let duplicateParameter = DiagnosticCode(
        "T0507", "a parameter is declared twice",
        example: .folder(method: "query:\n  id: int\n  userID: { key: id, type: int }\n"),
        explanation: """
            Two entries send a value with the same name and location, so the server would receive
            both. `key` is the name that is sent; by default it is the entry's own name. Parameters
            of the group and the API with the same name are overridden by those of the method.
            Several values of one name are a list. No parameter may take the place of the token,
            which is sent with every method except those with `auth: none`.

            ```yaml
            query: { userID: { key: id, type: int } }
            ```
            """)

    /// A group file without methods and models.
    public static let emptyMethods = DiagnosticCode(
        "T0508", "a group without methods or models", severity: .warning,
        example: .folder() + [ExampleFile("wall.yaml", "doc: The wall.\nmethods:\n")],
        explanation: """
            Each file but `api.yaml` is a group, and a group without methods and models generates no
            usable code. Remove the file, or add methods:

            ```yaml
            methods:
              wall.get: { get: wall.get, returns: json }
            ```
            """)

    /// A whole URL that would be sent as a path segment.
    public static let addressAsText = DiagnosticCode(
        "T0515", "a URL as a path segment", severity: .warning,
        example: .folder(
            users: "methods:\n  users.next: { get: \"{next_url}\", path: { next_url: string } }\n"),
        explanation: """
            A path that is a single placeholder is a whole URL that the caller passes, unless `path`
            sets another type. As text, it is one segment after the server's URL, with the slashes
            of a URL encoded. If the parameter is named like a URL, this is probably a mistake.
            Leave the type out; if a text is intended, describe it with `doc`.

            ```yaml
            users.next: { get: "{next_url}" }
            links.open: { get: "{link}", path: { link: { type: string, doc: Six letters. } } }
            ```
            """)

    /// A path segment in the placeholder syntax of other formats.
    public static let colonInPath = DiagnosticCode(
        "T0516", "a path with a colon where a placeholder may be meant", severity: .warning,
        example: .folder(users: "methods:\n  users.get: { get: \"users/:id\", returns: string }\n"),
        explanation: """
            Express, Rails and others write `users/:id` for a path with a parameter. Here a
            placeholder is written in braces, and a colon is an ordinary character, as in
            `documents:batchGet`. A segment that begins with a colon is probably meant as a
            placeholder. If the server expects the colon, write `%3A`, which is equivalent (RFC 3986
            §2.2).

            ```yaml
            get: users/{id}
            ```
            """)

    /// A path that leaves a shared one for the root of the server.
    public static let rootBesidePrefix = DiagnosticCode(
        "T0520", "the root of the server beside a shared path", severity: .warning,
        example: .folder(
            users: "prefix: users\nmethods:\n  users.list: { get: /, returns: string }\n"),
        explanation: """
            A path that begins with `/` leaves the `prefix`, so `/` alone is the root of the server.
            Where a server wants a `/` at the end of the shared path, the `prefix` ends with it: a
            method with an empty path gets it as it is written, and others follow after one `/`.

            ```yaml
            prefix: users/
            methods:
              users.list: { get: "", returns: [User] }            # users/
              users.get: { get: "{id}/", returns: User }          # users/{id}/
            ```
            """)

    /// Keys of a procedure call in another method, or of another method in a procedure call.
    public static let badProcedure = DiagnosticCode(
        "T0517", "a procedure call and a plain method in one",
        example: .folder(
            users: "methods:\n  users.get: { post: rpc, params: { id: int }, returns: string }\n"),
        explanation: """
            Where `rpc` names a protocol, in `api.yaml` or in a group, a method without a verb is a
            procedure call: its body holds the name of the procedure (`call`, or the method's own
            name) and its `params`. A method with a verb stays a plain one and has `query`, `json`
            and the like. A notification (`notify: true`) has no reply.

            ```yaml
            rpc: json-rpc-2.0
            methods:
              users.get: { params: { id: int }, returns: string }
            ```
            """)

    /// A value of a call that does not exist, or has no meaning in its place.
    public static let badCallValue = DiagnosticCode(
        "T0518", "a value of a call that cannot be sent",
        example: .folder(
            users: "methods:\n  users.get: { get: users, query: { m: { const: $method.nam } } }\n"),
        explanation: """
            `$method.name` is the API's name of the method, and `$call.id` an id that each call has
            of its own, the same in all its attempts. Both are constants of parameters: in the path,
            the query, a header field, a form, or as a member of the JSON body itself. The id is a
            text or, with `type: int`, an integer. The options of a call may give it. The name may
            also be a part of a text, as in `const: v1.$method.name`. In quotes, both are only text.

            ```yaml
            users.get: { get: users, query: { method: { const: $method.name } } }
            ```
            """)
}
