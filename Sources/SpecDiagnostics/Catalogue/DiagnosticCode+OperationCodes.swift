/// Codes about how operations are run, listed with those of their phase.
extension DiagnosticCode {
    /// Not a rate.
    public static let badRate = DiagnosticCode(
        "T0114", "not a rate",
        example: .folder(api: "limits: { requests: 3 }\n"),
        explanation: """
            A rate is a number of requests, a slash, and the time in which so many may be sent:
            `s`, `min`, `h` or `d`, or a length of time such as `10s`. Both are at least one; a
            method that must not be called is left out of the spec.

            ```yaml
            limits: { requests: 3/s }        # also 100/min, 5000/h, 20/10s
            ```
            """)

    /// Not a way to wait.
    public static let badBackoff = DiagnosticCode(
        "T0115", "not a backoff",
        example: .folder(api: "retry: { backoff: 0.5s x2 ±200% }\n"),
        explanation: """
            A backoff says how long a call waits before it is sent again: the first wait, what each
            further one is multiplied by (`x2`; 1 to 100), by how much of itself a wait varies at
            random (`±20%`; whole percent, at most 100), and the longest wait (`max 20s`). All but
            the first wait may be left out. The long form has a key for each:

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
            A call is silent for no longer than an attempt lasts, and an attempt lasts no longer
            than the whole call, retries included. A time that is longer than what bounds it would
            never be reached, and the longest wait of a backoff is not shorter than its first. That
            holds wherever the two are said: a method's `silence` may be too long for the `total` of
            `api.yaml`. A method's `total` that is shorter than the `silence` of `api.yaml` is fine.

            ```yaml
            timeout: { silence: 15s, attempt: 1m, total: 5m }
            ```
            """)

    /// A setting that changes nothing.
    public static let noEffect = DiagnosticCode(
        "T0117", "a setting without effect", severity: .warning,
        example: .folder(api: "limits: { concurrent: 2, per-host: 6 }\n"),
        explanation: """
            Something else that is said keeps the setting from ever coming into play: a limit that is
            wider than the one around it (`per-host`, a queue's `concurrent` or a method's `requests`
            against those of the API), a `pause` longer than the `total` of the call that would wait
            so long, or `retry.on` for calls that are sent once. A list may hold nothing, or the same
            twice. And a `post` without an `idempotency-key` is not sent again after a status that
            leaves open what the server has done (`500`). A header of all methods that stands where
            the token goes gives way to it: without a method that says `auth: none`, nobody sends it.
            Leave it out, or change what stands against it.

            ```yaml
            limits: { concurrent: 8, per-host: 6, requests: 3/s }
            retry: { attempts: 3, on: [transport, 429] }
            ```
            """)

    /// A queue or a session that nobody declares.
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
            not become a queue in which nobody waits for anybody. `queue: none` leaves the queue of
            the group; `session: default` and `session: ephemeral` need no declaration. What is
            declared need not be named here: single calls of the app may name it (`CallOptions`).

            ```yaml
            # api.yaml
            queues: { images: { concurrent: 2 }, writes: serial }
            sessions: { private: ephemeral }
            ```
            """)

    /// An error case that nobody declares.
    public static let unknownErrorCase = DiagnosticCode(
        "T0214", "unknown error case",
        example: .folder(
            api: """
                errors: { code: error_code, cases: { tooManyRequests: 6 } }
                retry: { on: [transport, tooManyRequest] }

                """),
        explanation: """
            `on` says after which failures a call is sent again: `transport` (no complete reply
            came), statuses (`429`, `500..504`), and names of `errors.cases` for errors that the
            body tells.

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
            The kind of a method says what its operations do with bodies. An `upload` sends one. A
            `download` writes the reply to a file and returns no model: `returns` is left out, or
            says `file` or `bytes`; nobody looks into the reply, so it has no `unwrap` of its own. A
            stream returns the type of one element, which is read from JSON. A reply to `head` has no
            body at all, so the method returns nothing.

            ```yaml
            photos.get: { get: "photos/{id}", kind: download }
            news.follow: { get: news/live, stream: sse, returns: Post }
            ```
            """)

    /// Coalescing calls that have an effect.
    public static let badCoalesce = DiagnosticCode(
        "T0510", "calls that cannot share a request",
        example: .folder(
            users: "methods:\n  users.add: { post: users.add, coalesce: true }\n"),
        explanation: """
            `coalesce: true` lets equal calls that are on their way at the same time share one
            request and its reply. That is right for reading (GET and HEAD): both get the same
            answer. Two calls that change something are meant to change it twice, and a download
            or a stream hands its reply to one caller only. With an `idempotency-key` of the
            method's own, no two calls are equal. Against double taps there is `throttle`, against
            sending twice `idempotency-key`.

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
            `idempotency-key` sends a key that is made for each call and stays the same when the
            call is sent again. A parameter or a token in the same header would overwrite it. Remove
            the parameter, or give the key another header:

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
            `by` names parameters of the method: calls that differ in one of them do not hold each
            other up. The name is that of the entry in the spec, or the one the API has for it.

            ```yaml
            users.get:
              get: users.get
              query: { user_id: int }
              throttle: { interval: 1s, by: [user_id] }
            ```
            """)

    /// Parts of a stream that no stream has.
    public static let badStream = DiagnosticCode(
        "T0514", "parts that no stream has",
        example: .folder(
            method: "stream: { form: json-lines, events: [update] }\nreturns: json\n"),
        explanation: """
            `events` names the kinds of server-sent events that have an element (`event: update`;
            `message` for those that name none); events of other kinds are passed over. Lines of
            JSON are of one kind. `end` is what stands in the place of an element behind the last
            one: the data of an event, or a line. Both are one line.

            ```yaml
            news.follow:
              get: news/live
              stream: { form: sse, events: [update, notice], end: "[DONE]" }
              returns: Post
            ```
            """)

    /// A token server that cannot be asked.
    public static let badRefreshURL = DiagnosticCode(
        "T0608", "a token server that cannot be asked",
        example: .folder(
            api: """
                auth:
                  oauth2:
                    token: bearer
                    expired: 401
                    refresh: { post: http://oauth.vk.com/token }

                """),
        explanation: """
            `refresh.post` is the whole address of the token server. A refresh token is worth as
            much as a password, so it travels over `https://` only (RFC 6749 §10.4), or to the
            machine itself (`localhost`, `127.0.0.1`).

            ```yaml
            auth:
              oauth2:
                token: bearer
                expired: 401
                refresh: { post: https://oauth.vk.com/token, form: { grant_type: refresh_token } }
            ```
            """)
}
