extension KeyMeanings {
    /// A mapping and the page of its keys, then the keys with their meanings. `KeyMeaningTests` writes
    /// this table from the pages.
    static let table = #"""
        # `api.yaml` (APIFile)
        telex: `1`; required
        api: a name; becomes the Swift type that stands for the API; required
        servers: declare where the API is, and let the app choose among servers or name others;
          required
        doc link: documentation: a text, whose paragraphs are kept, and an absolute `http(s)`
          URL
        parameters headers: values of every request
        auth: declare where the token goes, which reply means that it has expired, and how a new
          one is requested; by default no credential
        cookies: whether cookies of replies are sent with later requests; by default `false`
        rpc: the protocol of methods without a verb
        prefix path: the beginning of every path, and its placeholders
        success unwrap errors: declare which replies are successes, where the value is, and how
          the API reports failures; by default any 2xx status; the body is the value; errors
          have only a status
        accepts: the media types of replies; by default any
        validate: what happens to a reply that breaks the spec; by default `throw`
        timeout retry idempotency-key: set how long calls may take, when they are sent again,
          and which key makes that safe; by default 60 s of silence; three attempts; no key
        cache: replies that are used again
        limits queues queue sessions session: set when calls are sent: rates, queues,
          priorities, throttles, shared requests and connections; by default replies up to
          `16MiB` and a depth of `128`; no queue; one session
        on-constrained on-expensive: networks that calls avoid; by default any network will do
        dates: the form of dates; by default `date-time`
        names: spellings of words in Swift names
        conforms: the protocols of every model: `Equatable`, `Hashable`, `Codable`,
          `Identifiable` (of models with an `id`); by default only `Sendable`
        templates: `{ compatibility: original }`: an older meaning of the rules of templates; by
          default `documented`
        reachability: URLs whose hosts `bootstrap()` examines: `[https://api.example.com/]`; by
          default the server
        lint: what becomes of warnings, by their codes; by default each is a warning
        generate: code on request: `fakes`, `requests`
        # a group (SpecFiles)
        doc link: documentation of the group
        methods: methods by name
        models: types by name
        capabilities: protocols with a part of its methods
        parameters headers: sent with every method of the group
        prefix path: the beginning of their paths, and its placeholders
        rpc: the protocol of its methods without a verb
        server auth success unwrap accepts errors validate dates: settings of its methods
        timeout retry idempotency-key session queue priority cache on-constrained on-expensive:
          how its methods run
        # a method (Methods)
        get post put patch delete head options: the path
        method: another HTTP method in upper case, a space and the path: `method: PROPFIND
          files/{+path}`; exactly one of this and the verbs
        path query headers: parameters by name
        json form multipart body: the body; at most one of these keys, and none with `get` and
          `head`
        rules: rules between the parameters
        returns: the type of the value; without it and a template, `nothing`
        template: the file of a good reply
        examples: replies by name
        doc link: documentation: a text, and an absolute `http(s)` URL
        deprecated: `true`, a reason, or `{ since, use, message }`; `use` is a method of the
          spec, or a sentence with the replacement
        swift: `{ name: … }`: the exact Swift name of the function
        extract: single values of its replies
        visibility: `internal`: only its module calls it, for example a hand-written extension
          of the group's protocol; a fake answers it as any other
        pages: how the pages of a list follow one another
        reply-headers: typed header fields of replies
        login: a reply that is a credential
        server auth success unwrap errors dates: settings
        accepts validate: the media types of replies, and what happens to wrong ones
        timeout retry idempotency-key safe: deadlines and repeated attempts
        queue priority session throttle coalesce limits: when calls are sent
        content-type: the media type of a `json` or `body`
        cache: replies that are used again
        call params notify wrap: procedure calls, and members under a key
        on-constrained on-expensive: networks that calls avoid
        until: waits for a state of the reply
        kind stream: downloads, uploads and streams
        # `until` (Methods)
        where: key paths of the reply and their final values, as in `success: { where }`; all
          must fit
        fails: values with which the call fails (`.failedState`); one suffices
        interval: the wait between two requests, as a `backoff`; `1s x1.5 ±10% max 30s` by
          default; a longer `Retry-After` holds
        # a type (Types)
        type: any type, short or long
        fields: an object
        enum: an enumeration, with `type: int` beside it if its values are integers
        one-of: a union, with `tag`, `content` and `closed` beside it
        const: a value that is always the same
        # a type (Types)
        optional nullable: `true` is `?`, or `| null`; for all
        default: the value if none is given; for a field, if the key is missing in a reply; for
          parameters, fields
        const: the only value; a field with another value breaks a rule; for parameters, fields
        key: the API's name, `""` for the empty key; the entry's own key becomes the Swift name;
          for parameters, fields
        swift: the exact Swift name; for parameters, fields, models, methods. the exact Swift
          name of the type; for inline objects, enumerations and unions
        from: the JSON form; for `string`, numbers, `bool`, Unix times, integer enumerations;
          all that is no scalar
        as: the form; `array`; for `Date`, `Duration`, `bool`, `bytes`; objects
        sensitive: `true`: never in logs, descriptions, violations; the default where the name
          is that of a secret; for parameters, fields, aliases
        join style: their form; for lists and objects in parameters
        in: `query` or `header`; elsewhere `in` is a rule; for values of every request
        items: rules, `from` and `as` of the elements; for lists
        keys values: rules of the keys; rules, `from` and `as` of the values; for maps
        at: a path through nested objects; for fields
        only: `reply` or `request`; for fields
        additional closed: further keys; for objects
        with: the models whose fields it has, too; for objects
        tag content: the key that tells the alternatives apart, and that of the value; for
          unions
        rules: rules between fields; for objects with `fields`
        empty clamp server-default: values that are not sent as given; for parameters
        default-unless: the parameters without which the default holds; for parameters
        invalid: `skip` and `empty`: what is left out; for lists and maps in replies
        conforms public: Swift protocols; models of the app; for models
        example examples: values for the documentation; for parameters, fields, models
        doc link deprecated: documentation; for all
        # the types (Types)
        string: text; in Swift `String`
        int: integer, 64 bits; in Swift `Int`
        int32: integer, 32 bits; in Swift `Int32`
        uint: integer of at least 0; in Swift `UInt`
        double: number; in Swift `Double`
        decimal: number, kept exactly; in Swift `Decimal`
        bool: `true`, `false`; in Swift `Bool`
        bool01: `1`, `0`; in Swift `Bool`
        Date: `date-time`, `local-date-time` and others; in Swift `Date`
        Duration: number of seconds or milliseconds, or a text; in Swift `Duration`
        url: text; in Swift `URL`
        uuid: text; in Swift `UUID`
        bytes: text: base64, base64url or hex; raw as a whole body or reply; in Swift `Data`
        file: only in `multipart`, also in lists, or as a whole `body`; in Swift `UploadFile`
        json: any JSON, kept; in Swift `JSONValue`
        nothing: only in `returns`; in Swift `Void`
        # the rules (Rules)
        min max: the value is at least, at most this; takes number
        above below: the value is greater, less than this; takes number
        multiple-of: the value is a multiple, compared as decimals; takes number above 0
        digits: the value has at most so many digits after the point; takes count
        in not-in: the value is one, is none of these; takes list of values
        min-length max-length length: the value has so many Unicode scalars; takes count
        min-bytes max-bytes: the value has so many UTF-8 bytes; takes count
        pattern: the value matches; takes pattern
        prefix suffix contains excludes: the value begins with, ends with, contains, does not
          contain this; takes text
        format: the value has this form; takes a word
        not-blank: the value has a character that is not white space; takes `true`
        min-items max-items: the value has so many elements; takes count
        unique: the value has no two equal elements; takes `true`
        unique-by: the value has no two elements with an equal value there; elements without one
          are skipped; takes a JSON key of a named model
        min-keys max-keys: the value has so many entries; takes count
        past future: the value lies before, after the present; takes `true`
        after before: the value lies after, before this; takes `2026-01-31`,
          `2026-01-31T12:00:00Z`
        within: the value is at most this far from the present; takes `90s`, `24h`, `365d`, in
          whole seconds
        max-size: the value has at most so many bytes; takes `512`, `64KiB`, `50MiB`
        mime: the value has one of these types; takes type or list; `image/*` works
        rule: the value is accepted by the app; takes a name
        # a rule (Rules)
        value: the argument; required. Of `rule`, it is called `id`
        message: replaces the message of the violation
        severity: `error` (default), or `warning`: reported, and the call continues
        on: `send` or `receive`; without it, both
        case-insensitive: `true`: `in` and `not-in` compare texts without regard to case
        # a rule between fields (CrossRules)
        at-least-one: two or more names; holds if one of them is present, or several
        at-most-one: two or more names; holds if none is present, or one
        exactly-one: two or more names; holds if one is present
        required-if: `{ name: condition }`; holds if the field is present, or the condition does
          not hold
        forbidden-if: `{ name: condition }`; holds if the field is absent, or the condition does
          not hold
        equal-to: two names; holds if they are equal
        less-than: two names; holds if the first is less than the second
        expr: a condition; holds if the condition is not false
        # `timeout` (Running)
        silence: the longest time in which no byte is sent or received; by default 60 s
        attempt: the longest time of one attempt, to the last byte of its reply
        total: the longest time of a call, with all its waiting and all its attempts
        pause: the longest time that a server may ask to be left alone; by default 5 minutes
        # `retry` (Running)
        attempts: how often a call is sent at most, the first time included; at least 1; by
          default 3
        on: one or a list of: `transport` (no complete reply came, or not in time), statuses
          (`429`, `500..504`), names of `errors.cases`; by default `[transport, 429, 503]`
        backoff: the waiting times between attempts; by default `0.5s x2 ±20% max 20s`
        # `limits` (QueuesAndLimits)
        requests: how many requests in how much time: `3/s`, `100/min`, `5000/h`, `20/10s`; or
          `1/s burst 20`
        concurrent: how many calls are at work at the same time
        per-host: how many of them with the same host
        response: the most bytes of a reply: `512`, `64KiB`, `5MB`; `16MiB` by default
        depth: the deepest nesting of a reply's JSON, at most 512; 128 by default
        # `success` (RepliesAndErrors)
        status: a status, a range `200..299`, or a list of both; by default `200..299`
        absent: a key path that the body does not have, for APIs that fail with status 200
        present: a key path that the body has
        where: values that the body has at key paths
        # `errors` (RepliesAndErrors)
        at: path of the error object; it may go through lists: `errors[0]`, or `errors[*]` for
          all of them; by default the body itself
        code: key path of the code, inside the error object; by default errors have no code
        message: key path of the message, inside the error object; several in order: `detail |
          error.title`. Of a list, all texts count; by default the body, if it is `text/plain`
        model: the model that every error object is read into; by default any JSON
        retry-after: key path of the time to wait before the next attempt, inside the error
          object: in seconds, or `{ at: path, unit: ms }`; by default the header field
          `Retry-After` alone
        cases: names of codes and statuses
        # `login` (ReplyShapes)
        token: key path of the token, inside the unwrapped reply; required
        refresh: key path of the refresh token
        expires-in: key path of the lifetime of the token; by default unknown
        unit: the unit of the lifetime, `s` or `ms`; by default `s`
        values: key paths of values that the credential keeps under their last keys, for
          `$token.id`
        # `refresh` (SpecAuthentication)
        post: a whole `https://` URL, or a path appended to the URL of the server that the app
          calls: `oauth/token`, `token/refresh/`; required
        form json: the values to send; by default a form with `grant_type: refresh_token` and
          the refresh token
        token refresh-token expires-in: key paths in the reply; `none` for a value that the
          reply does not have; by default `access_token`, `refresh_token`, `expires_in`
        # `validate` (Validation)
        mode: what a violation does; by default `throw`
        checks: a list of the checks that are made; by default all
        sample: the share of replies that are checked, in whole percent; by default `100%`
        # `stream` (DownloadsAndStreams)
        form: `sse` or `json-lines`
        events: the kinds of server-sent events (`event: delta`) that have an element; `message`
          is for events without a kind. Other events are skipped, whatever they contain
        end: the text, as the data of an event or as a line, that ends the stream. The stream
          ends there even if the connection stays open
        """#
}
