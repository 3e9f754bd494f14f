import Testing

@Suite("A reference to a value of the credential is never sent literally")
struct CredentialReferenceTests {
    private static let auth = "auth: { a: { token: bearer } }\n"

    private func analysis(_ method: String, api: String = "") -> Analysis {
        Analysis(users: "methods: { get: { \(method) } }\n", api: Self.auth + api)
    }

    @Test(
        "a parameter has a reference to the credential only as its whole default",
        arguments: [
            "get: a, query: { a: { type: [int], default: $token.user_id } }",
            "get: a, query: { a: { type: int, default: [$token.user_id] } }",
            "get: a, query: { a: { type: [bool], default: [$token.user_id] } }",
            "get: a, query: { a: { type: [int], style: json, default: [$token.user_id] } }",
            "put: a, json: { a: { fields: { b: { type: [int], default: [$token.user_id] } } } }",
            "get: a, query: { a: { type: [string], default: [x, $token.user_id] } }",
            "get: a, query: { a: { const: $token.user_id } }",
            "get: a, query: { a: { type: int, const: $token.user_id } }",
            "get: a, query: { a: { type: string, default: x$token.user_id } }",
            "get: a, query: { a: { type: string, default: \"x$token.user_id!\" } }",
            "get: a, headers: { X-A: { const: $token.user_id } }",
            "put: a, json: { a: { type: json, default: { b: [$token.user_id] } } }",
            "put: a, json: { a: { type: \"{string: string}\", default: { b: $token.user_id } } }",
            "put: a, json: { a: { fields: { b: { const: $token.user_id } } } }",
        ])
    func places(method: String) {
        #expect(analysis(method).marks == ["T0506: $token.user_id"])
    }

    @Test(
        "a list of texts or integers has a reference to the credential as its only item",
        arguments: ["int", "string"])
    func onlyItem(type: String) throws {
        let method = "put: a, json: { a: { type: [\(type)], default: [$token.user_id] } }"
        let analysis = analysis(method)
        let parameter = analysis.method("users.get")?.parameters.first
        #expect(parameter?.presence == .credential("user_id"), "\(analysis.rendered)")
        let list = self.analysis("get: a, query: { a: { type: [\(type)], default: $token.x } }")
        #expect(list.bag.all.first?.help == "write `default: [$token.x]`")
    }

    @Test(
        "a path contains a reference to the credential through a parameter",
        arguments: ["a/$token.user_id/b", "\"a/{id}/$token.user_id\"", "$token.user_id"])
    func paths(path: String) {
        #expect(analysis("get: \(path)").marks == ["T0502: $token.user_id"])
        let path = "path: { id: { type: int, default: $token.user_id } }"
        #expect(analysis("get: \"a/{id}\", \(path)").marks == [])
    }

    @Test(
        "a token is always sensitive",
        arguments: [
            ("$token.access_token", "false", ["T0117: sensitive"]),
            ("$token.refresh_token", "false", ["T0117: sensitive"]),
            ("$token.refresh_token", "true", []), ("$token.user_id", "false", []),
        ])
    func sensitive(text: String, flag: String, marks: [String]) {
        let query = "query: { a: { type: string, default: \(text), sensitive: \(flag) } }"
        #expect(analysis("get: a, \(query)").marks == marks)
    }

    @Test("a constant of every request is not a reference", arguments: ["parameters", "headers"])
    func everyRequest(section: String) {
        let values = "\(section): { X-User: $token.user_id }\n"
        #expect(analysis("get: a", api: values).marks == ["T0506: $token.user_id"])
        let group = values + "methods: { get: { get: a } }\n"
        #expect(Analysis(users: group, api: Self.auth).marks == ["T0506: $token.user_id"])
        let declared = "\(section): { X-User: { type: string, default: $token.user_id } }\n"
        #expect(analysis("get: a", api: declared).marks == [])
    }

    @Test("a member of a refresh request is a whole reference")
    func refresh() {
        for (text, mark) in [
            ("id=$token.user_id", "T0506: $token.user_id"), ("$call.id", "T0518: $call.id"),
            ("x.$method.name", "T0518: $method.name"),
        ] {
            let refresh = "{ post: token, form: { a: \"\(text)\" } }"
            let api = "auth: { a: { token: bearer, expired: 401, refresh: \(refresh) } }\n"
            let users = "methods: { get: { get: a } }\n"
            #expect(Analysis(users: users, api: api).marks == [mark])
        }
    }

    @Test("a misspelt reference is reported with the intended one")
    func misspelt() {
        for text in ["$tokn.user_id", "$Token.user_id", "$tokens.user_id"] {
            let own = analysis("get: a, query: { a: { type: string, default: \(text) } }")
            #expect(own.marks == ["T0506: \(text)"])
            #expect(own.bag.all.first?.help?.contains("`$token.user_id`") == true)
            let api =
                "auth: { a: { token: bearer, expired: 401, refresh: { post: token, form: { a: \(text) } } } }\n"
            let users = "methods: { get: { get: a } }\n"
            #expect(Analysis(users: users, api: api).marks == ["T0506: \(text)"])
        }
        for (text, meant) in [
            ("$token", "$token.access_token"), ("${token}", "$token.access_token"),
            ("${token.id}", "$token.id"), ("$tok.id", "$token.id"),
        ] {
            let refresh = "expired: 401, refresh: { post: token, form: { a: \"\(text)\" } }"
            let analysis = Analysis(
                users: "methods: { get: { get: a } }\n",
                api: "auth: { a: { token: bearer, \(refresh) } }\n")
            #expect(analysis.codes == ["T0506"])
            #expect(analysis.bag.all.first?.help?.contains("`\(meant)`") == true)
        }
        for text in ["'$tokn.user_id'", "$price.low", "$tokn"] {
            let own = analysis("get: a, query: { a: { type: string, default: \(text) } }")
            #expect(own.marks == [], "\(own)")
        }
    }

    @Test("the message about a credential reference names the allowed positions")
    func help() {
        let help = analysis("get: a, query: { a: { const: $token.id } }").bag.all.first?.help
        #expect(help?.contains("`{ type: string, default: $token.id }`") == true)
    }

    @Test("a dollar or the word `token` alone is only text")
    func texts() {
        for text in ["$token", "$5", "token.user_id", "$tokens.a"] {
            #expect(analysis("get: a, query: { a: { const: \(text) } }").marks == [])
        }
    }
}
