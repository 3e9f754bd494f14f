import Testing

@Suite("`method` in place of a verb")
struct OtherVerbTests {
    private func analysis(_ method: String) -> Analysis {
        Analysis(users: "methods: { users.get: { \(method) } }\n")
    }

    @Test(
        "`method` in place of a verb is refused where it is no HTTP method that can be sent",
        arguments: [
            ("method: propfind a", "T0107: propfind"), ("method: '/a'", "T0107: /a"),
            ("method: 'PROP(FIND) a'", "T0107: PROP(FIND)"), ("method: GET a", "T0107: GET"),
            ("method: post a", "T0107: post"), ("method: TRACE a", "T0107: TRACE"),
            ("method: CONNECT", "T0107: CONNECT"), ("method: 'LÖCK a'", "T0107: LÖCK"),
            ("method: ''", "T0102: ''"), ("method: [LOCK]", "T0102: [LOCK]"),
            ("method: LOCK a, get: b", "T0105: get"), ("get: b, method: LOCK a", "T0105: method"),
            ("method: LOCK /a", "T0502: /"), ("method: 'LOCK a{'", "T0502: {"),
            ("method: 'LOCK a/{id', path: { id: int }", "T0502: {"),
            ("method: LOCK a, path: { id: int }", "T0503: id"),
        ])
    func refused(method: String, mark: String) {
        let analysis = analysis(method)
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test(
        "`method` in place of a verb is the name, a space and the path",
        arguments: [
            ("method: 'PROPFIND a/{id}'", "PROPFIND", "a/{id}"), ("method: LOCK", "LOCK", ""),
            ("method: 'M-SEARCH   a'", "M-SEARCH", "a"),
        ])
    func whole(method: String, name: String, path: String) throws {
        let analysis = analysis(method)
        let found = try #require(analysis.method("users.get"), "\(analysis.rendered)")
        #expect(found.verb.name == name)
        #expect(found.path == path)
    }

    @Test(
        "`method` in place of a verb may have a body, and is repeated if it is idempotent",
        arguments: [("PROPFIND", true), ("REPORT", true), ("LOCK", false), ("NOTIFY", false)])
    func idempotence(name: String, isIdempotent: Bool) throws {
        let method = try #require(
            analysis("method: \(name) a, json: { b: int }").method("users.get"))
        #expect(method.verb.isIdempotent == isIdempotent)
    }
}
