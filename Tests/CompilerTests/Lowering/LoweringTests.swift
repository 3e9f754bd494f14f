import SpecIR
import Testing

@Suite("A rich spec becomes the IR that it describes")
struct LoweringTests {
    let analysis = Analysis(RichSpec.files)

    @Test("a rich spec has no errors")
    func silence() {
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.api?.groups.map(\.apiName) == ["users", "wall.posts"])
    }

    @Test("the IR of a rich spec has the API as a whole")
    func wholeAPI() throws {
        let api = try #require(analysis.api)
        #expect(api.name == "VK")
        #expect(api.documentation.text == "The VK social network.")
        #expect(api.timeouts == Timeouts(silence: 15_000, total: 300_000))
        #expect(api.limits == ReplyLimits(bytes: 1 << 20, depth: 32))
        #expect(
            api.reply
                == SuccessRules(
                    statuses: [200...299, 304...304], absent: ["error"], unwrap: [.key("response")])
        )
        #expect(
            api.auth
                == AuthRules(
                    placement: .header("X-Token", prefix: "Key "),
                    expiry: [.status(401), .code("5")], refresh: .app))
    }

    @Test("the IR of a rich spec has the servers and their variables")
    func servers() throws {
        let servers = try #require(analysis.api?.servers)
        #expect(servers.map(\.name) == ["production", "local", "upload"])
        #expect(
            servers[1].variables == [
                ServerVariable(name: "port", defaultValue: "8080", allowed: []),
                ServerVariable(name: "area", defaultValue: "eu", allowed: ["eu", "us"]),
            ])
    }

    @Test("the IR of a rich spec has the errors and their cases")
    func errors() throws {
        let errors = try #require(analysis.api?.errors)
        #expect(errors.at == [.key("error")] && errors.code == ["error_code"])
        #expect(errors.message == ["error_msg"] && analysis.api?.errorCodes.areIntegers == true)
        #expect(errors.cases.map(\.name) == ["invalidAccessToken", "tooMany", "captcha"])
        #expect(errors.cases.map(\.code) == ["5", "6", "14"])
        #expect(errors.cases.map(\.isRetryable) == [false, true, false])
        #expect(errors.cases.map(\.model) == [nil, nil, "Captcha"])
    }

    @Test("the IR of a rich spec has the base parameters, required ones first")
    func baseParameters() throws {
        let parameters = try #require(analysis.api?.baseParameters)
        #expect(parameters.map(\.key) == ["v", "lang", "X-Build", "Accept-Language"])
        #expect(parameters.map(\.name) == ["v", "lang", "xBuild", "acceptLanguage"])
        #expect(parameters.map(\.location) == [.query, .query, .header, .header])
        #expect(
            parameters.map(\.presence) == [
                .constant(.string("5.199")), .optional, .defaulted(.integer("7")),
                .constant(.string("en")),
            ])
    }

    @Test("the IR of a rich spec has a method's names, documentation and arguments")
    func usersGet() throws {
        let method = try #require(analysis.method("users.get"))
        #expect(method.name == "get" && method.caseName == "usersGet")
        #expect(method.verb == .get && method.path == "users.get" && method.body == .none)
        #expect(method.documentation.text == "Extended information.\n\nMore of it.\n")
        #expect(
            method.documentation.deprecation
                == Deprecation(since: "5.200", use: "users.save", message: "slow"))
        #expect(
            method.parameters.map(\.name) == ["fields", "userIDs", "ownerID", "filter", "extended"])
        #expect(method.output == .value(Value(.list(Value(.object("User"))))))
        #expect(method.isAuthenticated && method.session == .shared)
        #expect(method.server == nil && method.reply == nil)
    }

    @Test("the IR of a rich spec has lists, defaults, constants and credentials of parameters")
    func parameters() throws {
        let parameters = try #require(analysis.method("users.get")?.parameters)
        let fields = Literal.list([.enumerationCase("photo50"), .enumerationCase("sex")])
        #expect(parameters[0].presence == .defaulted(fields))
        #expect(parameters[1].listStyle == .joined(","))
        #expect(parameters[1].value.rules == [Rule(.maxItems, .count(1000))])
        #expect(parameters[2].presence == .credential("user_id"))
        #expect(parameters[3].presence == .optional && parameters[3].listStyle == .json)
        #expect(parameters[4].value.type == .bool(.oneZero))
    }

    @Test("the IR of a rich spec has placeholders of a path, JSON bodies and inline replies")
    func save() throws {
        let method = try #require(analysis.method("users.save"))
        #expect(method.verb == HTTPVerb(rawValue: "put") && method.body == .json)
        #expect(
            method.parameters.map(\.name) == ["id", "name", "ifMatch", "user", "note", "kinds"])
        #expect(
            method.parameters.map(\.location) == [.path, .path, .header, .json, .json, .json])
        #expect(method.parameters[0].value.rules == [Rule(.min, .number("1"))])
        #expect(method.parameters[1].value == Value(.string(from: .native)))
        #expect(method.parameters[4].value.isNullable)
        #expect(method.output == .value(Value(.object("UsersSaveReply"))))
        #expect(analysis.field("UsersSaveReply", "at")?.value.type == .date(.unix))
        #expect(analysis.field("UsersSaveReply", "ok")?.value.type == .bool(.oneZero))
    }

    @Test("a method's own settings win")
    func login() throws {
        let method = try #require(analysis.method("users.login"))
        #expect(method.name == "logIn" && method.caseName == "usersLogin")
        #expect(!method.isAuthenticated && method.session == .ephemeral)
        #expect(method.timeouts == Timeouts(silence: 1500, total: 300_000))
        #expect(method.server == "upload")
        #expect(
            method.reply == SuccessRules(statuses: [201...201], absent: ["error"], unwrap: []))
        #expect(method.parameters[0].isSensitive)
        #expect(method.parameters[1].value.type == .date(.dateTime))
        #expect(method.output == .nothing)
    }

    @Test("the IR of a rich spec has uploads, raw bodies and replies without a model")
    func posts() throws {
        let upload = try #require(analysis.method("photos.upload"))
        #expect(upload.name == "photosUpload" && upload.body == .multipart)
        #expect(upload.parameters.map(\.name) == ["uploadURL", "area", "photo", "title"])
        #expect(upload.parameters[0].value.type == .url)
        #expect(upload.parameters[1].presence == .constant(.string("wall")))
        #expect(
            upload.parameters[2].value.rules == [
                Rule(.maxSize, .size(50 << 20)), Rule(.mime, .mimeTypes(["image/*"])),
            ])
        #expect(upload.output == .bytes && upload.server == "upload")
        #expect(upload.timeouts == Timeouts(silence: 60_000, total: 300_000))
        #expect(analysis.method("wall.posts.ping")?.path == "")
        let raw = try #require(analysis.method("wall.posts.raw"))
        #expect(raw.body == .whole && raw.output == .nothing)
        let any = try #require(analysis.method("wall.posts.any"))
        #expect(any.output == .value(Value(.map(.string, Value(.list(Value(.json)))))))
    }

    @Test("the IR of a rich spec has the fields of a model")
    func user() throws {
        let model = try #require(analysis.model("User"))
        guard case .object(let fields) = model.kind else { return #expect(Bool(false)) }
        #expect(model.conformances == [.hashable])
        #expect(
            fields.map(\.name) == [
                "userID", "name", "sex", "photo50", "lastSeen", "counters", "friends", "best",
                "score", "kind", "level", "nick",
            ])
        #expect(fields[0].key == "id" && fields[0].value.alias == "UserID")
        #expect(fields[0].value.type == .string(from: .either))
        #expect(fields[0].value.rules.count == 2)
        #expect(fields[5].value.type == .map(.string, Value(.integer(.int, from: .native))))
        #expect(fields.filter(\.isOptional).map(\.name) == ["photo50", "friends", "best"])
        #expect(fields.filter(\.isIndirect).map(\.name) == ["best"])
        #expect(fields[8].value.rules == [Rule(.min, .number("0")), Rule(.below, .number("10.5"))])
        #expect(fields[9].value.rules == [Rule(.constant, .literal(.string("user")))])
        #expect(fields[10].defaultValue == .integer("1"))
        #expect(fields[11].value.isNullable && !fields[11].isOptional)
    }

    @Test("the IR of a rich spec has a rule's message, severity and direction")
    func ruleOptions() throws {
        let rule = try #require(analysis.field("User", "name")?.value.rules.last)
        #expect(
            rule
                == Rule(
                    .maxLength, .count(64), message: "too long", isWarning: true, direction: .send))
    }

    @Test("inline types are nested in their model")
    func inline() throws {
        let model = try #require(analysis.model("User"))
        #expect(model.nested.map(\.qualifiedName) == ["User.Sex", "User.LastSeen"])
        let sex = Enumeration(
            isInteger: true,
            cases: [
                EnumerationCase(name: "male", value: "1"),
                EnumerationCase(
                    name: "female", value: "2", documentation: Documentation(text: "She.")),
            ])
        #expect(model.nested[0].kind == .enumeration(sex))
        #expect(
            analysis.field("User", "sex")?.value.type == .enumeration("User.Sex", isInteger: true))
    }

    @Test("models of replies have a reader, and models of arguments a writer")
    func reach() {
        let marks = ["User", "User.LastSeen", "Captcha", "UserField", "UsersSaveReply"].map {
            (analysis.model($0)?.isRead, analysis.model($0)?.isWritten)
        }
        // Without `generate: [requests]`, arguments are not read from properties.
        #expect(marks.map(\.0) == [true, true, true, false, true])
        #expect(marks.map(\.1) == [true, true, false, true, false])
    }

    @Test("code on request is lowered, and an unknown word is an error")
    func extras() {
        let methods = "methods: { get: { get: a } }\n"
        let analysis = Analysis(users: methods, api: "generate: [fakes, requests]\n")
        #expect(analysis.api?.extras == [.fakes, .requests])
        #expect(Analysis(users: methods).api?.extras == [])
        let wrong = Analysis(users: methods, api: "generate: [fake]\n")
        #expect(wrong.marks == ["T0107: fake"])
        #expect(wrong.bag.all.first?.help == "did you mean `fakes`?")
    }
}
