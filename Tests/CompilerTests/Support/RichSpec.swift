/// A spec that uses nearly all features of the language.
enum RichSpec {
    static let files = [
        "api.yaml": api, "users.yaml": users, "wall/posts.yaml": posts,
        "templates/users.save.json": template,
    ]

    private static let template = #"""
        // Größe: 16 Zeichen, für Spalten hinter Umlauten.
        {
            "response": { "ok": 1, "at": 1700000000, "at-Rules": { "minimum": 5, "maximum": 2e9 } },
            "note": "ä\n", "note-Rules": { "isOptional": true, "matchWithOneOf": ["ä\n", "\uD83D\uDE00"] },
            "list": [{ "a": null }, { "a": -1.5 }], /* any */ "list-Rules": { "mustMatch": true },
        }

        """#

    static let api = #"""
        # Größe: 16 Zeichen, für Spalten hinter Umlauten.
        telex: 1
        api: VK
        doc: The VK social network.
        link: https://dev.vk.com
        servers:
          production: https://api.vk.com/method/
          local: { url: "http://127.0.0.1:{port}/{area}/", variables: { port: 8080, area: { default: eu, in: [eu, us] } } }
          upload: https://pu.vk.com
        parameters:
          v: "5.199"
          lang: { type: string?, in: query }
          X-Build: { type: int, in: header, default: 7 }
        headers:
          Accept-Language: en
        auth:
          oauth2:
            token: { in: header, name: X-Token, prefix: "Key " }
            expired: [{ status: 401 }, { error: 5 }]
            refresh: app
        success: { status: [200..299, 304], absent: error }
        unwrap: response
        errors:
          at: error
          code: error_code
          message: error_msg
          cases:
            invalidAccessToken: 5
            too_many: { code: 6, retry: true, doc: Wait a little. }
            captcha: { code: 14, model: Captcha }
        timeout: { silence: 15s, total: 5m }
        limits: { requests: 3/s, concurrent: 8, per-host: 6, response: 1MiB, depth: 32 }
        retry: { attempts: 4, on: [transport, 429, 500..504, too_many], backoff: 0.5s x1.5 ±20% max 20s }
        idempotency-key: true
        queues: { images: { concurrent: 2 }, writes: serial }
        sessions: { private: ephemeral, images: { connections: 10 } }
        dates: unix
        names: { vk: VK, sdk: SDK }
        conforms: [Equatable]

        """#

    static let users = #"""
        doc: People.
        methods:
          users.get:
            get: users.get
            doc: |
              Extended information.

              More of it.
            link: https://dev.vk.com/method/users.get
            deprecated: { since: "5.200", use: users.save, message: slow }
            query:
              fields: { type: [UserField], default: [photo_50, sex], join: "," }
              user_ids: { type: [UserID], max-items: 1000, join: "," }
              owner_id: { type: int, default: $token.user_id }
              filter: { type: json, style: json, optional: true }
              extended: { const: true, type: bool01 }
            returns: [User]
            coalesce: true
            priority: high
            throttle: { interval: 1.5s, by: [owner_id, user_ids], policy: latest, from: end }
            on-constrained: wait
            on-expensive: fail
            limits: { requests: 20/10s }
            timeout: { attempt: 1m, pause: 90s }
          save:
            put: "users/{id}/{name}"
            path: { id: { type: int, min: 1 } }
            headers: { If-Match: string? }
            json: { user: User, note: "string | null", kinds: { type: [string], unique: true } }
            returns: { ok: bool01, at: Date }
          login:
            post: oauth/token
            auth: none
            session: ephemeral
            retry: none
            timeout: 1500ms
            server: upload
            unwrap: none
            success: { status: 201 }
            dates: date-time
            form: { password: { type: string, sensitive: true }, until: Date }
            swift: { name: logIn }
        models:
          UserID: { type: string, from: either, pattern: '^[0-9]+$' }
          UserField: { enum: [photo_50, sex, 2fa, default] }
          User:
            doc: A user.
            conforms: [Hashable]
            fields:
              userID: { key: id, type: UserID, max-length: 20 }
              name: { type: string, not-blank: true, max-length: { value: 64, message: too long, severity: warning, on: send } }
              sex: { enum: { male: 1, female: { value: 2, doc: She. } }, type: int }
              photo_50: url?
              last_seen: { time: Date, platform: int? }
              counters: { string: int }
              friends: "[User]?"
              best: User?
              score: { type: decimal, min: 0, below: 10.5 }
              kind: { const: user }
              level: { type: int32, default: 1 }
              nick: "string | null"
          Captcha: { sid: { type: string, from: int }, img: url }

        """#

    static let posts = #"""
        server: upload
        timeout: 1m
        session: images
        queue: images
        retry: { attempts: 2, backoff: { initial: 1s, jitter: 0% } }
        parameters: { area: wall }
        methods:
          photos.upload:
            post: "{upload_url}"
            multipart: { photo: { type: file, max-size: 50MiB, mime: [image/*] }, title: string? }
            returns: bytes
            kind: upload
            idempotency-key: X-Key
          ping: { head: "" }
          raw: { post: raw, body: bytes, returns: nothing, idempotency-key: false, queue: writes }
          any: { get: any, returns: { string: [json] } }
          file: { get: "file/{id}", kind: download, session: private, queue: none }
          live: { get: live, stream: sse, returns: json }

        """#
}
