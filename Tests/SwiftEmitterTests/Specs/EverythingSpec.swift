/// A spec that uses every feature of the language: all types in all positions.
enum EverythingSpec {
    static let spec = TestSpec(files: [
        "api.yaml": api, "all.yaml": all, "bare.yaml": bare, "none.yaml": "doc: Nothing at all.\n",
        "deep/calls.yaml": calls, "procedures.yaml": procedures,
        "templates/deep.calls.get.json":
            #"{ "u": { "b": { "a": 1, "a-Rules": { "maximum": 3 }, "b": 5, "c": ["one"] } } }"#,
    ])

    private static let api = """
        telex: 1
        api: Everything
        generate: [fakes, requests]
        templates: { compatibility: original }
        servers: { production: "https://example.com/", upload: "https://up.example.com/{x}/" }
        parameters:
          v: "1"
          lang: { type: string? }
          n: { type: int, default: 100000 }
          flags: { type: "[Flag]", default: [one], join: "," }
          level: { type: Level, default: 1 }
          size: { type: int?, max: 5, clamp: true, server-default: 2 }
          empty: { type: string?, empty: omit }
          at: { type: Date, default: 0, as: unix }
          money: { type: decimal, default: 1.10 }
          code: { type: string?, pattern: '^a' }
        auth: { oauth2: { token: { in: query, name: token }, expired: { status: [401, 403] }, refresh: { post: https://a.example/token } }, key: { token: { in: header, name: X-Key }, secret: KEY }, basic: { token: basic }, csrf: { token: { in: header, name: X-Csrf }, expired: 409, refresh: { method: all.csrf, token: t } }, shake: { token: { in: header, name: X-Id }, refresh: { on: 421, take: { header: X-Id } } }, bot: { token: { in: path, name: bot } } }
        cookies: true
        success: { status: [200..299, 304], absent: [a, b], present: c, where: { ok: true, d.e: [0, -1, fine], f: no } }
        unwrap: [u, b]
        errors:
          at: [a, b]
          code: c
          message: [d, e]
          retry-after: f
          cases:
            first: { code: 1, retry: true }
            second: -2
            third: { code: 3, model: Failure, deprecated: old }
        timeout: { silence: 500ms, attempt: 90s, total: 1h }
        dates: unix
        on-constrained: wait
        reachability: [https://api.example.com/]
        validate: { mode: warn, checks: [keys, types], sample: 5% }
        limits: { requests: 100/min burst 20, concurrent: 10000, per-host: 6, response: 5MB, depth: 10 }
        retry: { attempts: 3, on: [transport, 429, 500..504, first], backoff: 0.5s x2 ±20% max 20s }
        queues: { images: { concurrent: 2 }, writes: serial }
        sessions:
          private: ephemeral
          images: { connections: 10 }
          both: { ephemeral: true }
          transfers: background
          few: { background: true, connections: 2 }

        """

    private static let bare = """
        doc: Models only.
        models:
          Bare: { a: int, b: Date, c: "[Flag]" }

        """

    private static let calls = """
        server: upload
        prefix: zones/{+zone}
        path: { zone: { type: int, min: 1 } }
        timeout: 1m
        retry: none
        queue: writes
        session: both
        priority: low
        idempotency-key: X-Key
        cache: http
        auth: none
        validate: { mode: off }
        parameters: { session: { type: string, sensitive: true }, x: y }
        headers: { X-Id: { type: int? } }
        capabilities: { BareReading: [get], BareWriting: [deep.calls.put] }
        methods: { get: { get: x, returns: Bare, reply-headers: { etag: { type: string?, example: a } } }, put: { put: x, body: Bare }, post: { post: x } }

        """

    private static let procedures = """
        rpc: json-rpc-2.0
        prefix: rpc/{node}
        auth: none
        unwrap: none
        parameters: { method: $method.name, key: { const: $call.id } }
        headers: { X-Call: { type: int, const: $call.id } }
        methods:
          named: { call: a b"c, params: { id: int, json: "[Flag]?", s: { type: string?, sensitive: true } }, returns: Bare }
          listed:
            params:
              - params: { type: string, not-blank: true }
              - method: { type: Date?, as: unix }
              - kind: { const: "null" }
              - nothing: { type: json, const: null }
              - list: "[Bare | null] | null"
              - last: "int? | null"
              - secret: { type: string?, sensitive: true }
            returns: int | null
          whole: { params: "[Bare]?", unwrap: [items], returns: "[int]" }
          optional: { params: { a: int?, b: bool? }, returns: nothing }
          told: { notify: true, params: [{ text: string }] }
          wrapped:
            put: rooms/{key}
            path: { key: { const: $call.id, sensitive: true } }
            wrap: 'the "arguments"'
            json: { method: { const: $method.name }, tag: { type: int, const: $call.id }, a: int, b: string? }
            success: { where: { tag: $call.id } }
          patched: { patch: x, json: Bare, content-type: application/merge-patch+json, limits: { response: 1MB } }
          piece: { get: '/x/{a}/y', path: { a: { type: string, empty: send } } }
          filled: { post: x, form: { a: { type: int, const: $call.id } } }
          parts: { post: x, kind: upload, multipart: { a: { const: $call.id }, j: { type: '[Bare]', style: json }, m: { type: '{string: Date}?', style: json }, f: file } }

        """

    // MARK: Methods

    private static let all = """
        doc: |
          Everything.

          More.
        validate: custom
        methods:
        \(sections.map(sending).joined(separator: "\n"))
          paths:
            get: "\(EveryType.inText.indices.map { "{a\($0)}" }.joined(separator: "/"))"
            path:
        \(EveryType.inText.enumerated().map { "      a\($0): { \($1.text) }" }
            .joined(separator: "\n"))
        \(bodies.enumerated().map { "  body\($0): { post: b, body: \($1) }" }
            .joined(separator: "\n"))
        \(replies.enumerated().map { "  reply\($0): { get: r, returns: \($1) }" }
            .joined(separator: "\n"))
          whole_url: { get: "{address}", returns: bytes }
          statuses:
            post: x
            returns:
              200: Bare
              201: [Bare | null]
              202: text
              203: bytes
              204: nothing
              207: { a: int, url: url }
              404: int | null
            reply-headers: { etag: string? }
          owned: { post: x, json: { owned: Owned }, returns: "[Owned]" }
          text: { get: x, returns: text, accepts: [text/*, application/xml] }
          head_only: { head: x, reply-headers: { Content-Length: uint, modified: Date? } }
          headed:
            get: x
            returns: Bare | null
            examples: { none: null }
            reply-headers:
              total: { key: X-Total, type: int, min: 0, default: 0, example: 61 }
              self: { link: self }
              allow: { type: "[string]", min-items: 1 }
              mode: { enum: [a, b] }
              exact: decimal
              flag: { type: bool, optional: true }
          logged_in:
            post: x
            auth: none
            returns: json
            login: { token: a.b, refresh: c, expires-in: d, unit: ms, values: [id, [e, "f.g"]] }
          extracted:
            get: x
            returns: json
            success: { where: { ok: true } }
            unwrap: data[-1]
            errors: { at: "problems[?]", message: text }
            extract:
              id: { at: "a[-1].id", type: { type: int, min: 1 }, doc: The last. }
              dates: { at: "a[*].at", type: "[Date]" }
              lists: { at: "b[?].c", type: "[[string | null]]" }
              api_token: { at: s.token, type: string | null }
              inline: { at: d.e, type: { fields: { x: int, y: url? } } }
              pattern: { at: p, type: { type: string?, pattern: "^a" } }
              class: { at: in.default, type: json }
              image: { at: "i[0]", type: url? }
          paged_offset:
            get: x
            query: { class: { key: off, type: int? }, options: int?, position: int? }
            returns: { a: { in: { type: "[int | null]?", nullable: true, optional: true } }, n: { type: int, default: 3 } }
            pages: { items: a.in, offset: class, total: n }
          paged_number:
            post: x
            json: { json: { type: int, default: 0 } }
            returns: "[Bare] | null"
            reply-headers: { etag: string? }
            deprecated: old
            pages: { items: $body, page: json }
          paged_last: { get: x, query: { self_: { type: int? } }, returns: { a: [int], last: int? }, pages: { items: a, page: self_, last: last } }
          paged_token: { get: x, headers: { X-After: string? }, returns: { a: "{int: Bare}?", t: { u: int? } }, pages: { items: a, send: X-After, take: t.u } }
          paged_text: { post: x, form: { t: string? }, returns: { a: "{string: [Bare]}", t: string }, pages: { items: a, send: t, take: t } }
          paged_integer: { get: x, query: { t: int? }, returns: { a: [Bare], t: int }, pages: { items: a, send: t, take: t } }
          paged_url: { get: x, returns: { a: [Bare], next: url? }, pages: { items: a, next: next } }
          paged_address: { get: x, returns: { a: [Bare], next: string? }, pages: { items: a, next: next } }
          paged_link: { get: x, returns: [Bare], pages: { items: $body, next: { link: next } } }
          owners: { get: x, query: { a: { type: "[int]", default: [$token.user_id], join: "," }, b: { type: "[string]", default: [$token.x], style: brackets } }, headers: { X-C: { type: "[int]", default: [$token.user_id] } } }
          owned_list: { post: x, json: { a: { type: "[int]", default: [$token.user_id] }, b: { type: "[string]", default: [$token.x] } } }
          emptied: { get: x, query: { a: { type: string, default: b, empty: default }, b: { type: "[int]", default: [1], empty: default }, c: { type: "{string: int}", default: { x: 1 }, style: json, empty: default }, d: { type: string, default: q, default-unless: e, empty: default }, e: { type: string?, empty: omit }, f: { type: "[string]", default: [$token.x], empty: default } } }
          joined: { get: x, returns: { posts: [{ by: uuid?, on: string }], users: [{ id: uuid, n: string? }], authors: { join: posts.by, in: { users: id } }, names: { join: posts.on, in: { users: n } } } }
          hidden: { get: x, query: { o: int? }, returns: { a: [int] }, pages: { items: a, offset: o }, visibility: internal }
          entries: { get: x, query: { page: int?, f: { type: "{string: [Date]}?", style: entries } } }
          entered: { post: x, form: { "a b": int?, f: { type: "{Flag: bool01}", style: entries } } }
          paged_header: { get: x, query: { t: int? }, returns: [Bare], pages: { items: $body, send: t, take: { header: X-Next } } }
          paged_field: { get: x, query: { t: string? }, returns: [Bare], reply-headers: { X-Next: string? }, pages: { items: $body, send: t, take: { header: X-Next } } }
          paged_item: { get: x, query: { t: string? }, returns: { a: { type: "[Bare | null]?", nullable: true, optional: true }, m: bool? }, pages: { items: a, send: t, take: { last: a }, more: m } }
          paged_deep: { get: x, query: { t: string? }, returns: { a: [int], p: { fields: { c: { n: { fields: { next: int, more: bool } } } }, optional: true } }, pages: { items: a, send: t, take: p.c.n.next, more: p.c.n.more } }
          clamped: { get: x, query: { a: { type: int, default: 3, max: 9, clamp: true, default-unless: b }, b: int? } }
          paged_value: { post: x, json: { sort: "[json]?" }, returns: { a: [{ sort: [json] }], m: bool }, pages: { items: a, send: sort, take: { last: sort }, more: m } }
          paged_model: { post: x, json: { key: Bare? }, returns: { a: "{string: int}", next: Bare? }, pages: { items: a, send: key, take: next } }
          paged_any: { get: x, query: { key: { type: json, style: json, optional: true } }, returns: { a: [int], next: json? }, pages: { items: a, send: key, take: next } }
          paged_query: { get: x, returns: { a: [Bare], c: { type: "{string: string}?", values: { from: either } } }, pages: { items: a, merge: c } }
          nothing: { get: "" }
          nothing2:
            head: x
            returns: nothing
            auth: none
            timeout: 90s
            session: ephemeral
            server: upload
            success: { status: 204 }
            unwrap: none
            deprecated: true
          options:
            options: x
            deprecated: why
            returns: { a: int, b: [{ c: string, d: { e: { enum: [one, two] } } }] }
          inline:
            delete: x
            query:
              mode: { enum: [a, b], default: a }
              kinds: { type: [{ enum: [x, y] }], optional: true }
            returns: [{ a: int }]
            deprecated: { since: "1", use: inline2 }
          upload: { post: x, body: file, kind: upload, returns: Bare, idempotency-key: true }
          uploaded: { post: x, multipart: { a: file }, kind: upload }
          download: { get: "x/{id}", query: { to: string? }, kind: download, session: private }
          downloaded: { get: x, kind: download, returns: bytes, limits: { requests: 1/s } }
          confirm: { post: confirm, auth: { expired: [403, { error: [first, 3] }] } }
          check: { post: check, auth: { expired: none } }
          csrf: { get: csrf, auth: optional }
          schemes: { post: "{bot}/x", auth: { all: [oauth2, key, csrf, shake, bot] } }
          alternatives: { get: x, auth: [basic, key], query: { k: { type: string, default: $secret.K } } }
          later: { get: later, kind: download, auth: none, session: transfers }
          send: { post: later, body: file, kind: upload, auth: none, session: few }
          stream: { get: "x/{id}", stream: sse, returns: Bare, session: images }
          lines: { post: x, json: { a: int }, stream: json-lines, returns: int | null }
          talk:
            post: x
            stream: { form: sse, events: [delta, "a`b\\u2028"], end: "[DONE]" }
            returns: json
          tail: { get: x, stream: { form: json-lines, end: '*/ \\(x)' }, returns: int }
          held:
            get: x
            query: { a: string, b: { key: c, type: int } }
            coalesce: true
            cache: { fresh: 1500ms, stale-if-error: 1d, store: disk }
            priority: high
            queue: images
            throttle: { interval: 1.5s, by: [a, b], policy: latest, from: end }
            on-constrained: use
            on-expensive: fail
            until:
              where: { state: [done, 3], a.b: true }
              fails: { state: failed }
              interval: 2s x1.5 ±10% max 1m
            limits: { requests: 20/10s }
            retry: { attempts: 2, backoff: { initial: 1ms, factor: 1.25, jitter: 7%, max: 1s } }
            timeout: { attempt: 1m }
          constants:
            post: x
            json:
              a: { const: 1 }
              b: { const: true }
              c: { const: text }
              d: { const: 2.0, type: double }
              e: { const: [1, 2], type: [int] }
          form_constants: { post: x, form: { a: { const: 1 }, b: { const: true }, c: { const: t } } }
          found: { method: PROPFIND x, returns: Bare, body: Bare }
          locked: { method: 'LOCK', auth: none }
          nested:
            post: x
            query:
              near: { type: Thing?, style: deep }
              things: { type: "[Thing]", style: dots }
              times: { type: "{string: [Date]}?", style: deep, empty: omit }
              any: { type: json, style: dots }
            form:
              lists: { type: "[[int]]?", style: deep, empty: omit }
              class: { type: string?, empty: omit }
              c: { type: int, default: 3, min: 1, max: 5, clamp: true }
              d: { type: decimal?, max: 1.5, clamp: true, server-default: 1 }
              e: { type: double, min: 0.5, clamp: true }
          replaced:
            post: x
            json:
              a: { type: string?, empty: omit }
              b: { type: int32, min: 1, clamp: true }
              c: { type: "{string: Date}?", empty: omit, server-default: {} }
          only_const: { get: x, query: { a: { const: "1" } } }
          rule_named_in: { get: x, query: { in: { type: string, in: [a, b] } } }
          use:
            post: x
            json: { all: All, node: Node, empty: Empty, more: More }
            returns: { all: All, node: Node, empty: Empty, more: More, failure: Failure }
        models:
          All:
            fields:
        \(fields.map { "      " + $0 }.joined(separator: "\n"))
        \(EverythingModels.text)
        """

    private static let bodies = [
        "Thing", "\"[Thing]\"", "\"{string: Thing}\"", "\"[[Date | null]]\"",
        "\"{Flag: [bool01]}\"",
        "bytes", "file", "\"[Email]\"", "Thing | null", "{ fields: { a: int, b: { c: [Date] } } }",
        "\"[string]\"", "\"[string] | null\"",
        "Thing?", "int? | null", "\"[Date | null]? | null\"", "{ type: string?, min-length: 2 }",
        "{ type: int, optional: true, nullable: true, min: 2 }", "bytes?", "file?",
    ]

    private static let replies = EveryType.all.flatMap { type in
        type.marked.filter { !$0.isOptional }.map(\.text)
    }

    private static let sections = ["query", "headers", "form", "json", "multipart"]

    private static func sending(_ section: String) -> String {
        let verb = section == "query" || section == "headers" ? "get" : "post"
        let lines = EveryType.all.enumerated().flatMap { index, type in
            let prefix = section == "headers" ? "X-p\(index)-" : "p\(index)_"
            return type.parameters(in: section).map { prefix + $0 }
        }
        let files = [
            "file: file", "other: { type: file?, mime: [image/*, text/plain], max-size: 5MiB }",
        ]
        return """
              send_\(section):
                \(verb): x/{id}/y
                path: { id: { type: int, above: 0 } }
                \(section):
            \((lines + (section == "multipart" ? files : [])).map { "      " + $0 }
                .joined(separator: "\n"))
            """
    }

    private static let fields = EveryType.all.enumerated().flatMap { index, type in
        type.fields.map { "t\(index)_\($0)" }
    }
}
