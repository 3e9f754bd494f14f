import SpecIR
import Testing

@Suite("The shapes of replies")
struct ReplyShapeTests {
    private func method(_ text: String, models: String = "", api: String = "") -> Analysis {
        let models = models.isEmpty ? "" : "models:\n  \(models)\n"
        return Analysis(
            users: "methods:\n  get: { get: users.get, \(text) }\n\(models)", api: api)
    }

    private func output(_ text: String, models: String = "") -> Method? {
        method(text, models: models).api?.groups.first?.methods.first
    }

    // MARK: By status

    @Test(
        "`returns` by status has one reply for each success status",
        arguments: [
            ("returns: { 200: int, 99: nothing }", "T0110: 99"),
            ("returns: { 200: int, 700: nothing }", "T0110: 700"),
            ("returns: { 200: int, default: string }", "T0110: default"),
            ("returns: { 2xx: int }", "T0110: 2xx"),
            ("returns: { 200..204: int }", "T0110: 200..204"),
            ("returns: { 200: int, 204: int }", "T0110: int"),
            ("returns: { 200: int? }", "T0310: ?"),
            ("returns: { 200: file }", "T0303: file"),
            ("returns: { 200: int }, success: { status: 200 }", "T0105: 200"),
            ("kind: download, returns: { 200: nothing }", "T0509: 200"),
            ("stream: sse, returns: { 200: int }", "T0509: 200"),
        ])
    func wrongStatuses(text: String, mark: String) {
        #expect(method(text).marks.contains(mark))
    }

    @Test("a quoted status is a status")
    func quoted() {
        guard case .statuses? = output("returns: { \"200\": int }")?.output else {
            Issue.record("not by status")
            return
        }
    }

    @Test("the cases of `returns` by status are named after the phrases of the statuses")
    func statuses() {
        let method = output("returns: { 200: int, 418: text, 204: nothing }")
        guard case .statuses(let replies) = method?.output else {
            Issue.record("not by status")
            return
        }
        #expect(replies.name == "UsersGetReply")
        #expect(replies.cases.map(\.name) == ["ok", "status418", "noContent"])
        #expect(
            replies.cases.map(\.output) == [
                .value(Value(.integer(.int, from: .native))), .text, .nothing,
            ])
        #expect(method?.reply?.statuses == [200...200, 418...418, 204...204])
    }

    @Test("the enumeration of `returns` by status cannot have the name of a model")
    func name() {
        let analysis = method(
            "returns: { 200: UsersGetReply, 204: nothing }", models: "UsersGetReply: { a: int }")
        #expect(analysis.codes == ["T0701"])
    }

    // MARK: Text and media types

    @Test("`text` is the whole reply, unless a model has the name")
    func text() {
        #expect(output("returns: text")?.output == .text)
        #expect(method("returns: text?").marks == ["T0310: ?"])
        guard case .value? = output("returns: text", models: "text: { a: int }")?.output else {
            Issue.record("the model is not returned")
            return
        }
    }

    @Test(
        "`accepts` has media types without parameters",
        arguments: ["json", "a/b/c", "\"application/json; charset=utf-8\"", "\"*/json\"", "a/b*"])
    func mediaTypes(type: String) {
        #expect(method("accepts: [\(type)]").codes == ["T0107"])
    }

    @Test("the nearest `accepts` wins, and `none` accepts all")
    func accepts() {
        let api = "accepts: application/json\n"
        let inherited = method("returns: int", api: api)
        #expect(inherited.api?.reply.accepts == ["application/json"])
        #expect(inherited.api?.groups[0].methods[0].reply == nil)
        let own = method("accepts: [\"image/*\", text/plain], returns: bytes", api: api)
        #expect(own.api?.groups[0].methods[0].reply?.accepts == ["image/*", "text/plain"])
        let none = method("accepts: none, returns: bytes", api: api)
        #expect(none.api?.groups[0].methods[0].reply?.accepts == [])
    }

    // MARK: Header fields

    @Test(
        "a header field of a reply is text",
        arguments: [
            ("{ a: { b: int } }", "T0303: {b: int}"), ("{ a: \"{string: int}\" }", "T0303"),
            ("{ a: int | null }", "T0303"), ("{ a: json }", "T0303"), ("{ \"a b\": int }", "T0505"),
            ("{ a: { type: string, sensitive: true } }", "T0311"), ("[int]", "T0102"),
            ("{ a: { link: [next] } }", "T0102"), ("{ a: { link: next, min: 1 } }", "T0401"),
        ])
    func wrongHeaders(headers: String, mark: String) {
        let analysis = method("returns: int, reply-headers: \(headers)")
        #expect(analysis.codes.first == String(mark.prefix(5)), "\(analysis.rendered)")
    }

    @Test("values are read from text, lists from all fields, and links by relation")
    func headers() {
        let method = output(
            """
            returns: int, reply-headers: { total: { key: X-Total, type: int, min: 0 }, \
            allow: "[string]", next: { link: next }, modified: Date? }
            """)
        #expect(
            method?.replyHeaders?.places == [
                .value("X-Total"), .list("allow"), .link("next"), .value("modified"),
            ])
    }

    @Test("a download and a stream have no typed header fields")
    func transfers() {
        #expect(method("kind: download, reply-headers: { a: int }").codes == ["T0509"])
        #expect(method("stream: sse, returns: int, reply-headers: { a: int }").codes == ["T0509"])
    }

    // MARK: Login

    @Test(
        "`login` follows the reply, and its tokens are sensitive",
        arguments: [
            ("{ token: acces_token }", "did you mean `access_token`?"),
            ("{ token: access_token, refresh: user.id }", "`user.id` is not sensitive"),
            ("{ token: access_token, values: [user.name] }", "has no key `name` here"),
        ])
    func loginPaths(login: String, words: String) {
        let analysis = method(
            "returns: Session, login: \(login)",
            models: "Session: { access_token: string, user: { id: int } }",
            api: "auth: { account: { token: bearer } }\n")
        #expect(analysis.codes == ["T0340"] && analysis.rendered.contains(words))
    }

    @Test(
        "`login` names at least the token, of an API with `auth`",
        arguments: [
            ("{ refresh: b }", "T0103: login"), ("{ token: a, unit: min }", "T0107: min"),
            ("access_token", "T0102: access_token"), ("{ token: a }", "T0603: login"),
            ("{ token: a, expires: b }", "T0101: expires"),
        ])
    func wrongLogin(login: String, mark: String) {
        #expect(method("login: \(login)").marks.contains(mark))
    }
}
