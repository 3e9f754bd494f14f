/// T05xx: methods and their parameters.
extension DiagnosticCode {
    static let methodCodes: [DiagnosticCode] = [
        .missingVerb, .badPath, .unusedPathParameter, .bodyNotAllowed, .badHeader,
        .badCredentialDefault, .duplicateParameter, .emptyMethods, .badKind, .badCoalesce,
        .takenHeader, .unknownParameter, .badBackground, .badStream, .addressAsText, .colonInPath,
    ]

    /// A method that does not say where it lives.
    public static let missingVerb = DiagnosticCode(
        "T0501", "a method without an HTTP verb",
        example: .folder(users: "methods:\n  users.get: { returns: string }\n"),
        explanation: """
            A method says its verb and its path in one entry: `get`, `post`, `put`, `patch`,
            `delete`, `head` or `options`, in lower case. The path is joined to the server's
            address; it may be empty.

            ```yaml
            users.get: { get: users.get, returns: string }
            ```
            """)

    /// A path that no request can have.
    public static let badPath = DiagnosticCode(
        "T0502", "a malformed path",
        example: .folder(users: "methods:\n  users.get: { get: \"users/{id\" }\n"),
        explanation: """
            Braces in a path hold the name of a parameter, each name once. A path has no `?` and no
            `#`: what belongs to the query is written under `query`, constants included. It is put
            behind the server's URL, so it does not begin with `/`, and no piece of it is `.` or
            `..`. A method of another server has that server's name: declare it under `servers` and
            write `server: name`. A path that is one placeholder and nothing else, `"{url}"`, is a
            whole address that the caller gives. A path that begins with a brace needs quotes in
            YAML.

            ```yaml
            users.get: { get: "users/{id}", query: { v: { const: "5.199" } } }
            ```
            """)

    /// A path parameter without a place.
    public static let unusedPathParameter = DiagnosticCode(
        "T0503", "a path parameter that the path does not hold",
        example: .folder(
            users: "methods:\n  users.get: { get: \"users/{id}\", path: { user: int } }\n"),
        explanation: """
            `path` says more about the names in braces: their type and their rules. The path has no
            such name, so the value would go nowhere. A name in braces that nobody describes is a
            text.

            ```yaml
            users.get: { get: "users/{id}", path: { id: int } }
            ```
            """)

    /// A body that the verb does not have.
    public static let bodyNotAllowed = DiagnosticCode(
        "T0504", "a body where none is sent",
        example: .folder(method: "json: { user_ids: [string] }\n"),
        explanation: """
            The body of a GET or HEAD request means nothing, and servers and proxies may reject it
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
            without the colon. A few headers describe the message itself, such as `Content-Length`,
            `Content-Type` and `Host`: the request sets them from what it sends, and a download
            sets `Range` and `If-Range` from what it has. A value holds no line end and no other
            control character, and no space at its ends (§5.5).

            ```yaml
            headers: { Accept-Language: en }
            ```
            """)

    /// A credential's value that cannot be had.
    public static let badCredentialDefault = DiagnosticCode(
        "T0506", "a credential default that cannot work",
        example: .folder(
            method: "query:\n  owner_id: { type: string, default: $token.user_id }\n"),
        explanation: """
            `default: $token.user_id` takes the value that came with the token, for instance the
            user who logged in. So the API has an `auth`, the default belongs to a parameter, and
            the parameter is a text or an integer. It is the whole default: in a list, behind other
            text, as a `const`, as a plain value of every request or in the text of a path, the
            letters themselves would be sent. A value of every request that comes from the
            credential is a parameter, too, and so is one in braces in a path:
            `{ type: string, default: $token.user_id }`.

            ```yaml
            # api.yaml
            auth: { oauth2: { token: { in: query, name: access_token } } }
            # users.yaml
            owner_id: { type: string, default: $token.user_id }
            ```
            """)

    /// Two parameters of one name at one place.
    public static let duplicateParameter = DiagnosticCode(
        "T0507", "a parameter is declared twice",
        example: .folder(method: "query:\n  id: int\n  userID: { key: id, type: int }\n"),
        explanation: """
            Two entries send a value under the same name at the same place, and the server would see
            both. `key` is the name that is sent; without it, the entry's own name is. What the group
            or the API sends under that name does not count: the method's own wins. Several values
            of one name are a list. Where the token goes, nothing else does: it is sent by itself with
            every method but those that say `auth: none`.

            ```yaml
            query: { userID: { key: id, type: int } }
            ```
            """)

    /// A group file that says nothing.
    public static let emptyMethods = DiagnosticCode(
        "T0508", "a group without methods or models", severity: .warning,
        example: .folder() + [ExampleFile("wall.yaml", "doc: The wall.\nmethods:\n")],
        explanation: """
            Each file but `api.yaml` is a group, and a group without methods and models generates
            nothing that anybody could use. Remove the file, or say what the group can do:

            ```yaml
            methods:
              wall.get: { get: wall.get, returns: json }
            ```
            """)

    /// A whole address that would be taken for a piece of one.
    public static let addressAsText = DiagnosticCode(
        "T0515", "an address as a piece of a path", severity: .warning,
        example: .folder(
            users: "methods:\n  users.next: { get: \"{next_url}\", path: { next_url: string } }\n"),
        explanation: """
            A path that is one placeholder and nothing else is a whole address that the caller
            gives, unless `path` says that it is something else: as text, it is one piece of a path
            behind the server's URL, and the slashes of an address are encoded. Where the name is
            that of an address, that is hardly meant. Leave the type out; where it is meant, say
            what the text is.

            ```yaml
            users.next: { get: "{next_url}" }
            links.open: { get: "{link}", path: { link: { type: string, doc: Six letters. } } }
            ```
            """)

    /// A piece of a path that is a placeholder in other languages.
    public static let colonInPath = DiagnosticCode(
        "T0516", "a path with a colon where a placeholder may be meant", severity: .warning,
        example: .folder(users: "methods:\n  users.get: { get: \"users/:id\", returns: string }\n"),
        explanation: """
            Express, Rails and others write `users/:id` for a path with a parameter. Here a
            placeholder stands in braces, and a colon is a character like any other, as in
            `documents:batchGet`. A piece that begins with one is most likely a placeholder. If the
            server does want the colon, write `%3A`, which means the same (RFC 3986 §2.2).

            ```yaml
            get: users/{id}
            ```
            """)
}
