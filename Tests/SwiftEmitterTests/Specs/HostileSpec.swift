import SpecIR

/// A spec in which every text and every name is hostile.
enum HostileSpec {
    static let spec = TestSpec(files: [
        "api.yaml": api, "texts.yaml": texts, "names.yaml": names,
        "templates/hostile.json": template,
    ])

    /// A reply whose keys, values and rules are hostile, behind the path of `unwrap`.
    private static var template: String {
        let members = HostileTexts.all.flatMap { text -> [ExampleValue.Member] in
            let rules = ExampleValue.Member(key: "matchWithOneOf", value: .array([.text(text)]))
            return [
                .init(key: text, value: .text(text)),
                .init(key: text + "-Rules", value: .object([rules])),
            ]
        }
        return (["u"] + HostileTexts.all).reversed().reduce(ExampleValue.object(members)) {
            .object([.init(key: $1, value: $0)])
        }.json
    }

    private static let words = HostileTexts.all.map(\.yaml)
    private static let allTexts = HostileTexts.all.joined(separator: "\n").yaml
    private static let link = "https://example.com/*/\\(x)\"\"\"`///".yaml

    // MARK: The API

    private static let api = """
        telex: 1
        api: Hostile
        generate: [fakes, requests]
        doc: \(allTexts)
        link: \(link)
        servers:
        \(lines(words) { _, text in "  \(text): https://example.com/" })
          variable:
            url: "https://{host}.example.com/{path}/"
            variables:
              host: { default: \(words[2]), in: [\(words[2]), z] }
              path: \(words[0])
        auth:
          oauth2:
            token: { in: header, name: X-Token, prefix: "\\"\\\\(x)*/ " }
            expired: [{ status: 401 }, { error: \(words[0]) }]
            refresh:
              post: https://a.example/token?"\\(x)*/`
              form:
        \(lines(words) { "        \($1): { const: \($1), sensitive: \($0 % 2 == 0) }" })
                fact: \(key("$token." + HostileTexts.all[0]))
              token: [\(words.joined(separator: ", "))]
          \(words[0]): { token: { in: query, name: \(words[1]) }, secret: \(words[2]) }
        queues:
        \(lines(words) { _, text in "  \(text): serial" })
        sessions:
        \(lines(words) { _, text in "  \(text): ephemeral" })
        retry: { on: [transport, 429, \(HostileNames.cases[0].yaml)] }
        parameters:
        \(lines(words) { index, text in "  base\(index): \(text)" })
          given: { type: string, default: \(words[11]), doc: \(allTexts), pattern: '^"?\\(' }
        \(lines(["class", "in", "init", "default", "request", "apply"]) { _, word in
            "  \(word): { type: string?, in: header, key: X-Base-\(word) }"
        })
        headers: { Accept: "\\"\\\\(x)*/" }
        success:
          absent: [\(words.joined(separator: ", "))]
          present: [\(words[1])]
          where: { "a\\"\\\\(x)*/": [\(words.joined(separator: ", "))] }
        unwrap: [u, \(words.joined(separator: ", "))]
        errors:
          at: [\(words[0])]
          code: [\(words[2])]
          message: [\(words[4])]
          cases:
        \(lines(HostileNames.cases) { index, name in
            let code = index < words.count ? words[index] : "code \(index)"
            return "    \(name.yaml): { code: \(code), doc: \(words[index % words.count]) }"
        })
        validate: custom
        dates: "yyyy'\\"\\\\(x)*/'MM"

        """

    // MARK: Texts

    private static let texts = """
        doc: \(allTexts)
        link: \(link)
        headers: { X-Group: "\\"\\\\(x)*/" }
        methods:
        \(lines(words, method))
        models:
          Texts:
            doc: \(allTexts)
            deprecated: { since: \(words[0]), use: \(words[2]), message: \(words[4]) }
            fields:
        \(lines(words, fields))
              pattern: { type: string, pattern: '["\\\\]+\\(x\\)\"""[*]/`///#$' }
        \(lines(HostileTexts.all.indices.map(ruleName)) {
            "      own\($0): { type: string, rule: { id: \($1), message: \(words[$0]) } }"
        })
        \(lines(["self", "Type", "init", "class", "hashValue", "$0"]) {
            "      named\($0): { type: bool, rule: \($1.yaml) }"
        })
              composed: { type: string, pattern: "^\\xE9$" }
              decomposed: { type: string, pattern: "^e\\u0301$" }
              again: { type: string?, pattern: "^\\xE9$" }

        """

    private static func method(_ index: Int, _ text: String) -> String {
        """
          "texts:method\(index)":
            post: \(path(index))
            doc: \(text)
            link: \(link)
            deprecated: { since: \(text), use: \(text), message: \(text) }
            queue: \(text)
            session: \(text)
            throttle: { interval: 1s, by: [\(text)] }
            retry: { on: [\(HostileNames.cases[index % HostileNames.cases.count].yaml)] }
            query:
              a\(index): { key: \(text), type: string, default: \(text), doc: \(text), in: [\(text), x] }
              b\(index): { key: \(key(index, "b")), type: "[string]?", join: \(text), items: { not-in: [\(text)] } }
              \(key(index, "c")): { const: \(text) }
              d\(index): { type: Date?, as: \(datePattern(index)) }
              e\(index): { type: string, default: \(key("$token." + HostileTexts.all[index])) }
              f\(index): { type: json, style: json, default: { \(text): \(text), list: [\(text), 1.5] } }
              g\(index): { type: string?, prefix: { value: \(text), message: \(text), severity: warning }, contains: \(text) }
              h\(index): { type: string?, suffix: \(text), excludes: \(text) }
            json:
              i\(index): { type: "{string: string}", default: { \(text): \(text) } }
              j\(index): { key: \(text), type: string?, sensitive: true, doc: \(text) }
            unwrap: [\(text)]
            returns: Texts
          "texts:replied\(index)":
            get: "replied\(index)"
            returns: { 200: json, 204: nothing }
            reply-headers: { l: { link: \(text), doc: \(text) } }
            login: { token: [x, \(text)], values: [[\(text), y]] }
          "texts:paged\(index)":
            get: "paged\(index)"
            query: { q\(index): { key: \(text), type: string? } }
            returns: { a\(index): { key: \(text), type: "[string]" }, b\(index): { key: \(key(index, "b")), type: "string?" } }
            pages: { items: [\(text)], send: \(text), take: [\(key(index, "b"))] }
          "texts:linked\(index)":
            get: "linked\(index)"
            returns: [string]
            pages: { items: $body, next: { link: \(text) } }
          "texts:extract\(index)":
            get: "extract\(index)"
            returns: json
        \(index == 0 ? "    template: hostile.json\n" : "")    extract: { l\(index): { at: [x, \(text), -1, \(text)], type: string, doc: \(text) } }
        """
    }

    private static func fields(_ index: Int, _ text: String) -> String {
        """
              a\(index): { key: \(text), type: string, default: \(text), doc: \(text), deprecated: { message: \(text) } }
              b\(index): { key: \(key(index, "b")), type: string?, sensitive: true, prefix: \(text) }
              c\(index): { key: \(key(index, "c")), const: \(text) }
              d\(index): { key: \(key(index, "d")), enum: { one: \(text), two: { value: \(key(index, "e")), doc: \(text), deprecated: \(text) } }, optional: true }
              e\(index): { key: \(key(index, "e")), type: string?, contains: { value: \(text), message: \(text) } }
        """
    }

    private static func key(_ index: Int, _ ending: String) -> String {
        (HostileTexts.all[index] + ending).yaml
    }

    private static func key(_ text: String) -> String { text.yaml }

    /// A name of a rule, which becomes that of a function on one line.
    private static func ruleName(_ index: Int) -> String {
        (HostileTexts.all[index].prefix(40) + "rule\(index)").yaml
    }

    /// The part of a text that a path can contain.
    private static func path(_ index: Int) -> String {
        let scalars = HostileTexts.all[index].unicodeScalars.filter {
            ("!"..."~").contains($0) && !"?#{}".unicodeScalars.contains($0)
        }
        return ("p/" + String(String.UnicodeScalarView(scalars))).yaml
    }

    private static func datePattern(_ index: Int) -> String {
        ("yyyy'-" + HostileTexts.all[index].filter { $0 != "'" } + "'").yaml
    }

    // MARK: Names

    private static let names = """
        methods:
        \(lines(HostileNames.methods) { _, name in
            "  names.\(name): { get: \(name.yaml), query: { \(name): int?, other: string }, returns: int }"
        })
        \(everyParameter("query", "get", "string?"))
        \(everyParameter("json", "post", "{ type: string?, sensitive: true }"))
        \(everyParameter("form", "post", "\"[int]\""))
        \(everyParameter("nullable", "post", "\"[Date | null]? | null\"", section: "json"))
        \(everyParameter("multipart", "post", "file?"))
        \(everyParameter("download", "get", "string?", section: "query", "kind: download"))
        \(everyParameter("stream", "get", "string?", section: "query", "stream: sse, returns: json"))
          to: { get: x, query: { to: string?, destination: string? }, kind: download }
          all_paths:
            get: "\(HostileNames.parameters.map { "{\($0)}" }.joined(separator: "/"))"
          exact:
            get: x
            query:
        \(lines(HostileNames.exact) { index, name in
            "      g\(index): { type: int?, swift: { name: \(name) } }"
        })
          exact_json:
            put: x
            json:
        \(lines(HostileNames.exact) { index, name in
            "      g\(index): { type: \"[Date]?\", swift: { name: \(name) } }"
        })
        \(lines(["json", "request", "options", "body", "value", "item"]) { _, name in
            "  body_\(name): { post: x, body: { type: [Fields], swift: { name: \(name) } } }"
        })
          got: { get: x, query: { properties: { type: "{string: json}", style: json } } }
          use: { post: x, json: { all: All }, returns: All }
        models:
          All:
            a: Fields
            b: Required
            c: Nullables
            d: Rules
            e: Inline
            f: Cases
            g: Exact
        \(model("Fields", "{ type: string?, sensitive: true }"))
        \(model("Required", "Date"))
        \(model("Nullables", "{ type: \"[Date]? | null\" }"))
        \(model("Rules", "{ type: string, default: x, min-length: 1 }", "conforms: [Hashable]"))
        \(model("Inline", "{ enum: [a, b], optional: true }", names: inlineNames))
          Exact:
            fields:
        \(lines(HostileNames.exact.filter { !["hashValue", "customMirror"].contains($0) }) {
            "      g\($0): { type: \"[string]?\", min-items: 1, items: { min-length: 1 }, "
                + "swift: { name: \($1) } }"
        })
          Cases:
            enum: [\(HostileNames.cases.map(\.yaml).joined(separator: ", "))]

        """

    /// The field names from which inline types can be named.
    private static let inlineNames = HostileNames.fields.filter {
        ![
            "any", "protocol", "sendable", "mirror", "indirect", "optional", "set", "dictionary",
            "rawvalue", "allcases", "string", "url", "error", "data",
        ].contains($0.lowercased())
    }

    private static func everyParameter(
        _ name: String, _ verb: String, _ type: String, section: String? = nil,
        _ more: String = "returns: nothing"
    ) -> String {
        """
          all_\(name):
            \(verb): x
            \(more.replacing(", ", with: "\n    "))
            \(section ?? name):
        \(lines(HostileNames.parameters) { _, name in "      \(name): \(type)" })
        """
    }

    private static func model(
        _ name: String, _ type: String, _ more: String = "doc: Fields.",
        names: [String] = HostileNames.fields
    ) -> String {
        """
          \(name):
            \(more)
            fields:
        \(lines(names) { _, name in "      \(name): \(type)" })
        """
    }

    private static func lines(_ items: [String], _ line: (Int, String) -> String) -> String {
        items.enumerated().map { line($0.offset, $0.element) }.joined(separator: "\n")
    }
}
