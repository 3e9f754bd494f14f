/// Codes about scheduling, listed with those of their phase.
extension DiagnosticCode {
    /// Not a rate.
    public static let badRate = DiagnosticCode(
        "T0114", "not a rate",
        example: .folder(api: "limits: { requests: 3 }\n"),
        explanation: """
            A rate is a number of requests, a slash, and an interval: `s`, `min`, `h` or `d`, or a
            length of time such as `10s`. Both are at least one; a method that must not be called is
            left out of the spec.

            ```yaml
            limits: { requests: 3/s }        # also 100/min, 5000/h, 20/10s
            ```

            For a server that permits a burst after a rest (a token bucket), add its size:

            ```yaml
            limits: { requests: 1/s burst 20 }
            ```
            """)

    /// Not a backoff.
    public static let badBackoff = DiagnosticCode(
        "T0115", "not a backoff",
        example: .folder(api: "retry: { backoff: 0.5s x2 ±200% }\n"),
        explanation: """
            A backoff sets the wait before a retry: the first wait, the factor of each further one
            (`x2`; 1 to 100), the random variation (`±20%`; whole percent, at most 100), and the
            longest wait (`max 20s`). All but the first wait may be left out. The long form has a
            key for each:

            ```yaml
            retry: { backoff: 0.5s x2 ±20% max 20s }
            retry: { backoff: { initial: 0.5s, factor: 2, jitter: 20%, max: 20s } }
            ```
            """)

    /// Times that contradict each other.
    public static let impossibleTimes = DiagnosticCode(
        "T0116", "times that contradict each other",
        example: .folder(api: "timeout: { attempt: 2m, total: 1m }\n"),
        explanation: """
            `silence` cannot be longer than `attempt`, and `attempt` cannot be longer than `total`,
            which includes retries. A time that is longer than its bound would never be reached, and
            the longest wait of a backoff cannot be shorter than its first. This also applies across
            levels: a method's `silence` may be too long for the `total` of `api.yaml`. A method's
            `total` that is shorter than the `silence` of `api.yaml` is fine.

            ```yaml
            timeout: { silence: 15s, attempt: 1m, total: 5m }
            ```
            """)

    /// A setting without an effect.
    public static let noEffect = DiagnosticCode(
        "T0117", "a setting without effect", severity: .warning,
        example: .folder(api: "limits: { concurrent: 2, per-host: 6 }\n"),
        explanation: """
            Another setting prevents this one from having an effect: a limit above the enclosing one
            (`per-host`, a queue's `concurrent` or a method's `requests` compared with those of the
            API), a `pause` longer than the `total` of the call, or `retry.on` for calls with one
            attempt. A list may also be empty or have repeated entries. A `post` without an
            `idempotency-key` is not retried after a status that leaves open whether the server
            processed it (`500`). The token overrides a header of all methods in its place: without
            a method with `auth: none`, the header is never sent. Remove the setting, or change the
            other one.

            ```yaml
            limits: { concurrent: 8, per-host: 6, requests: 3/s }
            retry: { attempts: 3, on: [transport, 429] }
            ```
            """)

    /// A queue or a session without a declaration.
    public static let unknownQueue = DiagnosticCode(
        "T0212", "unknown queue or session",
        example: .folder(
            api: "queues: { images: { concurrent: 2 } }\n",
            users: """
                methods:
                  users.get: { get: users.get, queue: images }
                  users.photo: { get: users.photo, queue: imags }

                """),
        explanation: """
            `queue` and `session` take a name that `api.yaml` declares, so that a misspelt name does
            not silently create another queue. `queue: none` resets the queue of the group;
            `session: default` and `session: ephemeral` need no declaration. A declared name need
            not be used in the spec, because calls of the app may use it (`CallOptions`).

            ```yaml
            # api.yaml
            queues: { images: { concurrent: 2 }, writes: serial }
            sessions: { private: ephemeral }
            ```
            """)

    /// An error case without a declaration.
    public static let unknownErrorCase = DiagnosticCode(
        "T0214", "unknown error case",
        example: .folder(
            api: """
                errors: { code: error_code, cases: { tooManyRequests: 6 } }
                retry: { on: [transport, tooManyRequest] }

                """),
        explanation: """
            `on` lists the failures after which a call is retried: `transport` (no complete reply
            arrived), statuses (`429`, `500..504`), and names of `errors.cases` for errors in the
            body.

            ```yaml
            errors: { code: error_code, cases: { tooManyRequests: 6 } }
            retry: { on: [transport, 429, tooManyRequests] }
            ```
            """)

    /// A kind of operation that the method cannot be.
    public static let badKind = DiagnosticCode(
        "T0509", "a kind that does not fit the method",
        example: .folder(method: "kind: download\nreturns: [string]\n"),
        explanation: """
            The kind of a method sets how its operations handle bodies. An `upload` sends one. A
            `download` writes the reply to a file and returns no model: `returns` is left out, or is
            `file` or `bytes`. The reply is not parsed, so the method has no `unwrap` of its own. A
            stream returns the type of one element, which is read from JSON. A reply to `head` has
            no body, so the method returns nothing.

            ```yaml
            photos.get: { get: "photos/{id}", kind: download }
            news.follow: { get: news/live, stream: sse, returns: Post }
            ```
            """)

    /// A cache for replies that cannot be kept.
    public static let badCache = DiagnosticCode(
        "T0519", "replies that cannot be kept",
        example: .folder(
            users: "methods:\n  users.add: { post: users.add, cache: http }\n"),
        explanation: """
            `cache` keeps the reply of a `get` or `head` and uses it again. The reply of a call that
            changes something is not kept, nor is a download, a stream, a credential or anything of
            an ephemeral session. With `store: disk`, the value is not sensitive as a whole.

            A `cache` of the API or of a group applies to the methods whose replies can be kept, and
            is ignored for the others.

            ```yaml
            users.get: { get: users.get, returns: [string], cache: { fresh: 5m } }
            ```
            """)

    /// Coalescing calls that have an effect.
    public static let badCoalesce = DiagnosticCode(
        "T0510", "calls that cannot share a request",
        example: .folder(
            users: "methods:\n  users.add: { post: users.add, coalesce: true }\n"),
        explanation: """
            `coalesce: true` lets equal calls in flight share one request and its reply. That is
            safe for reads (GET and HEAD). Two calls that change something are meant to change it
            twice, and a download or a stream delivers its reply to only one caller. With an
            `idempotency-key` of the method's own, no two calls are equal. Use `throttle` against
            double taps, and `idempotency-key` against duplicate effects of retries.

            ```yaml
            users.add: { post: users.add, throttle: 1s, idempotency-key: true }
            ```
            """)

    /// A header for the key that is taken.
    public static let takenHeader = DiagnosticCode(
        "T0511", "a header with two values",
        example: .folder(
            users: """
                methods:
                  users.add:
                    post: users.add
                    headers: { Idempotency-Key: string }
                    idempotency-key: true

                """),
        explanation: """
            `idempotency-key` sends a key that is created for each call and reused for its retries.
            A parameter or a token in the same header would overwrite it. Remove the parameter, or
            give the key another header:

            ```yaml
            users.add: { post: users.add, idempotency-key: X-Request-Key }
            ```
            """)

    /// A parameter that the method does not have.
    public static let unknownParameter = DiagnosticCode(
        "T0512", "an unknown parameter",
        example: .folder(
            method: "query: { user_id: int }\nthrottle: { interval: 1s, by: [user] }\n"),
        explanation: """
            `by` names parameters of the method: calls that differ in one of them do not delay each
            other. The name is the key in the spec, or the API's name.

            ```yaml
            users.get:
              get: users.get
              query: { user_id: int }
              throttle: { interval: 1s, by: [user_id] }
            ```
            """)

    /// Invalid parts of a stream.
    public static let badStream = DiagnosticCode(
        "T0514", "invalid parts of a stream",
        example: .folder(
            method: "stream: { form: json-lines, events: [update] }\nreturns: json\n"),
        explanation: """
            `events` names the types of server-sent events that carry an element (`event: update`;
            `message` for events without a type); other events are skipped. JSON lines have no event
            types. `end` is the text that marks the end of the stream in place of an element: the
            data of an event, or a line. Both are one line.

            ```yaml
            news.follow:
              get: news/live
              stream: { form: sse, events: [update, notice], end: "[DONE]" }
              returns: Post
            ```
            """)

    /// An invalid URL of a token server.
    public static let badRefreshURL = DiagnosticCode(
        "T0608", "an invalid URL of a token server",
        example: .folder(
            api: """
                auth:
                  oauth2:
                    token: bearer
                    expired: 401
                    refresh: { post: http://oauth.vk.com/token }

                """),
        explanation: """
            `refresh.post` is the URL of the token server, or a path relative to the API's server. A
            refresh token must be protected like a password, so it is sent only over `https://` (RFC
            6749 §10.4), or to the local machine (`localhost`, `127.0.0.1`).

            ```yaml
            auth:
              oauth2:
                token: bearer
                expired: 401
                refresh: { post: https://oauth.vk.com/token, form: { grant_type: refresh_token } }
            ```
            """)
}
