/// A medium-sized spec that produces every form of output once.
enum ShapesSpec {
    static let spec = TestSpec(files: [
        "api.yaml": api, "pictures.yaml": pictures, "templates/pictures.rate.json": rated,
        "templates/pictures.add.json": ##"{ "response": ["\u0034\\#1"] }"##,
    ])

    /// Asks for more than the types.
    private static let rated = """
        { "response": { "average": 4.5, "count": 12, /* votes */ "count-Rules": { "minimum": 1 } } }

        """

    static let api = """
        telex: 1
        api: Gallery
        generate: [fakes, requests]
        doc: |
          Pictures and their painters.

          A second paragraph.
        link: https://gallery.example/docs
        servers:
          production: https://api.gallery.example/v1/
          local: { url: "http://127.0.0.1:{port}/", variables: { port: { default: "80", in: ["80", "81"] } } }
        parameters:
          v: "3"
          client_id: { type: string, doc: Identifies the app. }
          lang: { type: string?, in: header, key: Accept-Language }
        auth:
          oauth2:
            token: { in: header, name: X-Token }
            expired: [{ status: 401 }, { error: 5 }]
            refresh:
              post: https://api.gallery.example/token
              json: { id: "7", secret: { const: s, sensitive: true }, old: $token.refresh_token }
              token: data.token
              expires-in: none
        success: { status: 200..299, absent: error }
        unwrap: response
        errors:
          at: error
          code: code
          message: text
          retry-after: { at: wait_ms, unit: ms }
          cases: { tooMany: { code: 4, retry: true }, tokenExpired: { code: 5, doc: Log in again. } }
        timeout: 15s
        dates: unix
        limits: { requests: 3/s, per-host: 6 }
        retry: { attempts: 3, on: [transport, 429, 500..504, tooMany], backoff: 0.5s x2 ±20% max 20s }
        queues: { images: { concurrent: 2 }, writes: serial }
        sessions: { private: ephemeral, images: { connections: 10 } }

        """

    static let pictures = """
        doc: Pictures.
        methods:
          get:
            get: pictures/{id}
            doc: One picture.
            link: https://gallery.example/docs/pictures
            path: { id: { type: int, above: 0 } }
            query:
              fields: { type: "[Field]?", join: ",", doc: Everything if left out. }
              owner: { type: int, default: $token.user_id }
              since: Date?
              order: { type: Order, default: date_desc }
              near: { type: Place?, style: json }
              days: { type: "[Date]", max-items: 3 }
              format: { const: json }
            returns: Picture
          rename:
            patch: pictures/{id}
            json:
              title: Title
              place: Place? | null
              secret: { type: string, sensitive: true }
              owner: { type: int, default: $token.user_id }
            returns: Picture | null
          rate:
            post: pictures/{id}/rating
            form: { stars: { type: int, min: 1, max: 5 }, anonymous: { type: bool01, default: false } }
            returns: { average: double, count: int }
          upload:
            post: "{upload_url}"
            auth: none
            kind: upload
            queue: writes
            timeout: { silence: 10m, total: 1h, pause: 30s }
            retry: { attempts: 2 }
            idempotency-key: true
            multipart: { file: { type: file, mime: [image/png], max-size: 50MiB }, title: string? }
          replace: { put: "pictures/{id}/original", server: local, body: bytes, session: ephemeral }
          original: { get: "pictures/{id}/original", unwrap: none, returns: bytes }
          note: { put: "pictures/{id}/note", body: "text?", content-type: text/markdown }
          title: { put: "pictures/{id}/title", body: { type: text, max-length: 9, sensitive: true } }
          save:
            get: "pictures/{id}/original"
            doc: Keeps an original.
            unwrap: none
            kind: download
            queue: images
            session: images
            throttle: { interval: 1.5s, by: [id], policy: delay }
          watch: { get: pictures/new, stream: json-lines, returns: Review, session: private, retry: none }
          list:
            get: pictures
            query: { after: string? }
            returns: { pictures: [Picture], next: string? }
            pages: { items: pictures, send: after, take: next }
          add: { post: pictures, body: Picture, returns: "[string]" }
          review: { get: review, returns: "{string: [Review | null]}" }
          remove:
            delete: pictures/{id}
            deprecated: { since: "3", use: archive, message: Pictures are kept. }
            swift: { name: delete }
        models:
          Picture:
            doc: A picture.
            conforms: [Hashable]
            fields:
              id: { type: string, from: int }
              title: Title
              place: Place | null
              image: url?
              width: { key: w, type: int, above: 0, doc: Millimetres. }
              copy: "Picture? | null"
              sold: { type: bool, default: false }
              kind: { const: picture }
              colours: "{Field: double}"
              size: { width: int, height: int }
              notes: { type: [string], max-items: 10, items: { max-length: 100 } }
              taken: { type: Date?, deprecated: { use: year } }
              owner_key: { type: string, sensitive: true, pattern: "^[a-z]+$" }
          Place: { lat: { type: double, min: -90, max: 90 }, lon: double }
          Title: { type: string, not-blank: true, max-length: { value: 200, message: Too long., on: send } }
          Field: { enum: [title, place] }
          Order: { enum: { newest: date_desc, oldest: { value: date_asc, doc: The oldest first. } } }
          Rating: { enum: { bad: 1, good: 2 }, type: int }
          Review: { rating: Rating }

        """
}
