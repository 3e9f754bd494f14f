import SpecDiagnostics
import SpecDrift
import TelexCompiler
import TelexJSON
import Testing

/// A spec, and recordings of a server that does not quite do what it says.
enum RecordedShop {
    static let api = """
        telex: 1
        api: Shop
        servers: { production: https://shop.example/v1 }

        """

    static let users = """
        # People of the shop.
        methods:
          users.get:
            get: users/{id}
            path: { id: int }
            query: { lang: { type: string?, in: [en, de] } }
            returns: User

          users.list:
            get: users
            returns: [User]

          users.watch:
            get: users/watch
            stream: json-lines
            returns: User

          # Both are sent to one path.
          users.ban: { post: act, json: { do: { const: ban }, id: int }, returns: Place }
          users.free: { post: act, json: { do: { const: free }, id: int }, returns: Place }

        models:
          User:
            id: int
            name: { type: string, max-length: 5 }    # what others see
            age: int
            state: State
            tags: [string]
            email: { type: string?, format: email }
            home: Place?
            size: { type: double, min: 1, max: 9 }
            # Where it all began.
            since: { as: date, type: Date }
            kind: { type: string, in: [a, b] }
            code: int
            pet: { name: string }

          Place:
            lat: int
            lon: double

          State: { enum: [open, closed] }

        """

    static func folder(_ users: String = users) -> SpecFolder {
        SpecFolder(
            shownPath: "shop",
            files: [("api.yaml", api), ("users.yaml", users)].map { name, text in
                SpecFolder.File(
                    relativePath: name, shownPath: "shop/\(name)", bytes: Array(text.utf8))
            })
    }

    /// The members of a good user.
    static let user: [(key: String, json: String)] = [
        ("id", "1"), ("name", "\"Anna\""), ("age", "20"), ("state", "\"open\""), ("tags", "[\"a\"]"),
        ("size", "2"), ("since", "\"2024-05-31\""), ("kind", "\"a\""), ("code", "7"),
        ("pet", "{\"name\": \"Rex\"}"), ("home", "{\"lat\": 1, \"lon\": 2.5}"),
    ]

    /// A user with other members; nil removes one.
    static func user(_ changes: [String: String?] = [:]) -> String {
        let known = user.compactMap { key, json -> String? in
            (changes[key] ?? json).map { "\"\(key)\": \($0)" }
        }
        let new = changes.keys.sorted().filter { key in !user.contains { $0.key == key } }
            .compactMap { key in changes[key]?.map { "\"\(key)\": \($0)" } }
        return "{\((known + new).joined(separator: ", "))}"
    }

    static let drifted = [
        entry("GET", "users/1", user()),
        entry("GET", "users/2?lang=fr", user(["age": "null", "nick": "\"x\""])),
        entry(
            "GET", "users/x",
            user(["age": "null", "state": "\"banned\"", "name": "\"Annabella\"", "kind": "\"c\""])),
        entry(
            "GET", "users",
            "[\(user(["home": "{\"lat\": 1.5, \"lon\": 1}", "tags": "[\"b\", null]"])), "
                + "\(user(["tags": nil as String?, "code": "\"7\""])), "
                + "\(user(["email": "\"none\"", "size": "12.5", "since": "\"today\""])), "
                + "\(user(["pet": "null", "password": "\"hunter2\"", "size": "-3"]))]"),
        entry("GET", "users/watch", "\(user())\n\n\(user(["age": "null"]))\n"),
        entry("GET", "orders/7", "{}"), entry("GET", "logo.png", nil, type: "image/png"),
        entry("GET", "users/9", "{\"error\": \"no\"}", status: 404),
        entry("GET", "users/3", user(["age": "\"‹redacted›\""])),
        entry("GET", "users/4", "<html>"),
        entry(
            "POST", "act", "{\"lat\": 1, \"lon\": true}", body: "{\"do\": \"free\", \"id\": 3}"),
    ]

    static func entry(
        _ verb: String, _ path: String, _ reply: String?, status: Int = 200,
        type: String = "application/json", body: String? = nil, token: String? = nil,
        host: String = "https://shop.example/v1/"
    ) -> String {
        let content = reply.map { ", \"text\": \(JSONValue.string($0).description)" } ?? ""
        let post = body.map {
            ", \"postData\": {\"mimeType\": \"application/json\", \"text\": "
                + JSONValue.string($0).description + "}"
        }
        let fields = token.map {
            "{\"name\": \"Authorization\", \"value\": \"Bearer \($0)\"}"
        }
        return """
            {"request": {"method": "\(verb)", "url": "\(host)\(path)", "headers": [\(fields ?? "")]\
            \(post ?? "")}, "response": {"status": \(status), "headers": [], "content": \
            {"mimeType": "\(type)"\(content)}}}
            """
    }

    static func recording(_ entries: [String]) -> [UInt8] {
        Array("{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries.joined(separator: ","))]}}".utf8)
    }

    /// Compares a recording with a check.
    static func compare(_ recording: [UInt8], with check: inout DriftCheck) throws {
        try Recording.read(recording) { entry in
            switch entry {
            case .success(let entry): check.add(entry)
            case .failure(let problem): check.add(problem)
            }
        }
    }

    static func check(
        _ entries: [String], strict: Bool = false, _ folder: SpecFolder = folder()
    ) throws -> DriftReport {
        let compilation = TelexCompiler.check(folder)
        let errors = TerminalRenderer().render(compilation.diagnostics, in: compilation.sources)
        try #require(compilation.api != nil, "\(errors)")
        var options = DriftCheck.Options()
        options.strictKeys = strict
        var check = try #require(DriftCheck(compilation, options))
        try compare(recording(entries), with: &check)
        return check.report()
    }

    static func heal(
        _ entries: [String], strict: Bool = false, _ folder: SpecFolder = folder()
    ) throws -> Healing {
        var options = DriftCheck.Options()
        options.strictKeys = strict
        let bytes = recording(entries)
        return try #require(
            Healing(folder, options) { check in try? compare(bytes, with: &check) })
    }
}
