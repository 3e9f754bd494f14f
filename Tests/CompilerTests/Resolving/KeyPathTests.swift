import Testing

@Suite("Key paths and URLs are unambiguous")
struct KeyPathTests {
    private static let group = "methods: { get: { get: a } }\n"

    @Test(
        "a key path goes through objects only",
        arguments: [
            ("unwrap: items[*]", "items[*]"), ("unwrap: a.items[?].b", "a.items[?].b"),
            ("unwrap: items[].text", "items[]"), ("unwrap: items.0.text", "0"),
            ("unwrap: user[name]", "user[name]"), ("unwrap: \"items[+1]\"", "items[+1]"),
            ("success: { absent: \"errors[0]\" }", "[0]"),
            ("success: { present: \"data[12]\" }", "[12]"),
            ("success: { where: { \"data[0].ok\": true } }", "[0]"),
            ("errors: { code: \"codes[0]\" }", "[0]"),
            ("errors: { code: c, message: \"messages[0].text\" }", "[0]"),
            ("errors: { code: c, retry-after: \"waits[0]\" }", "[0]"),
            ("errors: { code: c, retry-after: { at: \"waits[1]\", unit: ms } }", "[1]"),
            (
                "auth: { a: { token: bearer, expired: 401, refresh: { post: token, token: \"tokens[0]\" } } }",
                "[0]"
            ),
        ])
    func lists(api: String, mark: String) {
        #expect(Analysis(users: Self.group, api: api + "\n").marks == ["T0111: \(mark)"])
    }

    @Test("`unwrap` leads to elements of lists, from both ends")
    func elements() {
        let path = Analysis(users: Self.group, api: "unwrap: response.items[-1][0].user\n")
        #expect(
            path.api?.reply.unwrap
                == [.key("response"), .key("items"), .index(-1), .index(0), .key("user")])
        let listed = Analysis(users: Self.group, api: "unwrap: [\"a.b\", -1]\n")
        #expect(listed.api?.reply.unwrap == [.key("a.b"), .index(-1)])
    }

    @Test("a key with brackets is written as an item of a list")
    func keys() {
        let listed = Analysis(users: Self.group, api: "unwrap: [\"items[0]\", text]\n")
        #expect(listed.marks == [] && listed.api?.reply.unwrap == [.key("items[0]"), .key("text")])
        let number = Analysis(users: Self.group, api: "unwrap: [user, \"0\"]\n")
        #expect(number.marks == [] && number.api?.reply.unwrap == [.key("user"), .key("0")])
    }

    @Test("the help shows how to write a key with brackets")
    func help() {
        let analysis = Analysis(users: Self.group, api: "success: { absent: \"a.b[0]\" }\n")
        let help = analysis.bag.all.first?.help
        #expect(help?.contains("`[\"b[0]\"]`") == true)
    }

    @Test(
        "a path is not the URL of another server",
        arguments: [
            "https://oauth.example/logout", "HTTP://a", "https://{host}/a",
            "https://a.example/b?c=d", "{url}://a",
        ])
    func addresses(path: String) {
        let analysis = Analysis(users: "methods: { get: { get: \"\(path)\" } }\n")
        #expect(analysis.marks == (path.hasPrefix("{") ? [] : ["T0502: \(path)"]))
    }

    @Test(
        "a whole path named like a URL of type `string` is a warning",
        arguments: [
            ("string", true), ("url", false), ("{ type: string, doc: Six letters. }", false),
            ("{ type: string, length: 6 }", false), ("int", false),
        ])
    func addressAsText(type: String, isWarned: Bool) {
        let method = "get: \"{next_url}\", path: { next_url: \(type) }"
        let analysis = Analysis(users: "methods: { get: { \(method) } }\n")
        #expect(analysis.marks == (isWarned ? ["T0515: string"] : []))
    }

    @Test("a path may contain a URL, or be a URL that the caller passes")
    func paths() {
        for path in ["web/2020/https://a.example/", "{url}", "a:b", "1://b"] {
            let analysis = Analysis(users: "methods: { get: { get: \"\(path)\" } }\n")
            #expect(analysis.marks == [], "\(path)")
        }
    }

    @Test("the help for an absolute path mentions `servers`")
    func addressHelp() {
        let users = "methods: { get: { get: \"https://a.example/b\" } }\n"
        let help = Analysis(users: users).bag.all.first?.help
        #expect(help?.contains("`server: name`") == true && help?.contains("{url}") == true)
    }
}
