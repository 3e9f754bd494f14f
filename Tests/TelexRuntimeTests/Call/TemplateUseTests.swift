import TelexJSON
import TelexTemplates
import Testing

@testable import TelexRuntime
@testable import TelexTesting

/// Templates in memory.
private final class MemoryTemplates: TemplateStore {
    struct Unreadable: Error, CustomStringConvertible {
        var description: String { "the disk is gone" }
    }

    private let texts: Lock<[String: String]>
    private let isBroken: Bool

    init(_ texts: [String: String] = [:], isBroken: Bool = false) {
        self.texts = Lock(texts)
        self.isBroken = isBroken
    }

    var recorded: [String: String] { texts.withLock { $0 } }

    func template(for method: String) throws -> Template? {
        if isBroken { throw Unreadable() }
        return try texts.withLock { $0[method] }.map { try Template(parsing: Array($0.utf8)) }
    }

    func record(
        _ reply: [UInt8], for method: String, mode: TemplateRecording, secrets: Set<String>
    ) async throws -> Bool {
        if isBroken { throw Unreadable() }
        return texts.withLock { texts in
            guard mode == .always || texts[method] == nil else { return false }
            let keys = secrets.sorted().joined(separator: ",")
            texts[method] = keys + String(decoding: reply, as: UTF8.self)
            return true
        }
    }
}

/// The tiny API with a template in its description.
private enum TemplateAPI: APIDescription {
    typealias Parameters = TinyAPI.Parameters
    typealias ErrorCode = TinyAPI.ErrorCode
    static let templates = APITemplates([
        MethodTemplate(
            "users.get", "GET", "users.get", isChecked: true,
            #"{"response": [{"id": 1, "name": "a", "name-Rules": {"matchWithOneOf": ["a", "b"]}}]}"#
        )
    ])
    static var definition: APIDefinition {
        var definition = TinyAPI.definition
        definition.templates = templates
        return definition
    }
}

@Suite("Templates of replies")
struct TemplateUseTests {
    private static let good = #"{"response":[{"id":1,"name":"a"}]}"#
    private static let other = #"{"response":[{"id":1,"name":"c"}]}"#
    private static let template =
        #"{"response": [{"name": "a", "name-Rules": {"mustMatch": true}, "id": 1}]}"#

    private func operation(
        _ templates: TemplateUse?, _ reply: String = other, _ validation: ReplyValidation? = nil
    ) -> NetworkOperation<[User]> {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(reply) },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.templates = templates
            $0.settings.clock = .stopped
        }
        let endpoint = Endpoint(.get, "users.get", validation: validation)
        return manager.operation(RequestBuilder("users.get", endpoint).finish(UsersMapper.get))
    }

    @Test("A reply that breaks a rule of the store's template fails, with path and rule")
    func store() async {
        let store = MemoryTemplates(["users.get": Self.template])
        let error = await failure(operation(TemplateUse(store)))
        #expect(error?.phase == .validate)
        #expect(
            error?.violations.map(\.description)
                == [#"response[0].name: expected "a", found "c" [const]"#])
    }

    @Test("The mode of the call decides what a violation of a template does")
    func modes() async throws {
        let store = MemoryTemplates(["users.get": Self.template])
        let warned = try await operation(TemplateUse(store), Self.other, .warn).response
        #expect(warned.warnings.map(\.rule) == ["const"])
        #expect(try await operation(TemplateUse(store), Self.other, .off).response.warnings == [])
        let unused = TemplateUse(store, validates: false)
        #expect(try await operation(unused).response.warnings == [])
    }

    @Test("What types and template both find is told once")
    func once() async {
        let store = MemoryTemplates(["users.get": Self.template])
        let error = await failure(operation(TemplateUse(store), #"{"response":[{"id":1}]}"#))
        #expect(error?.violations.map(\.path) == ["response[0].name"])
    }

    @Test("A missing template passes, warns or fails, as the app says")
    func missing() async throws {
        let store = MemoryTemplates()
        #expect(try await operation(TemplateUse(store)).response.warnings == [])
        let warned = try await operation(TemplateUse(store, missing: .warn)).response
        #expect(warned.warnings.map(\.rule) == ["template"])
        let error = await failure(operation(TemplateUse(store, missing: .fail)))
        #expect(error?.violations.map(\.rule) == ["template"])
    }

    @Test("A template that cannot be read says why")
    func unreadable() async throws {
        let store = MemoryTemplates(isBroken: true)
        let error = await failure(operation(TemplateUse(store, corrupt: .fail)))
        #expect(error?.violations.map(\.found) == ["the disk is gone"])
        let recording = TemplateUse(store, validates: false, recording: .always)
        #expect(
            try await operation(recording).response.warnings.map(\.found) == ["the disk is gone"])
    }

    @Test("A template that cannot be used is printed once, without a listener, too")
    func printed() async throws {
        let store = MemoryTemplates(isBroken: true)
        let printed = Lock<[String]>([])
        func call(_ use: TemplateUse) async throws {
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in .json(Self.other) },
                credentials: .memory(Credential(token: secret))
            ) {
                $0.templates = use
                $0.settings.clock = .stopped
                $0.settings.onFault = { text in printed.withLock { $0.append(text) } }
            }
            for _ in 0..<2 {
                _ = try? await manager.operation(
                    RequestBuilder("users.get", Endpoint(.get, "users.get")).finish(UsersMapper.get)
                ).value
            }
        }
        try await call(TemplateUse(store, corrupt: .pass))
        try await call(TemplateUse(store, corrupt: .fail))
        #expect(printed.withLock { $0 } == [])
        let expected = ["telex: fault in Tiny: the disk is gone (template of `users.get`)"]
        try await call(TemplateUse(store))
        #expect(printed.withLock { $0 } == expected)
        try await call(TemplateUse(store, validates: false, recording: .always))
        #expect(printed.withLock { $0 } == expected + expected)
    }

    @Test("The first reply of a method is recorded, later ones are checked with it")
    func recordMissing() async throws {
        let store = MemoryTemplates()
        let use = TemplateUse(store, recording: .missing)
        let first = #"{"response":[{"id":1,"name":"a","age":7}]}"#
        _ = try await operation(use, first).value
        #expect(store.recorded == ["users.get": first])
        let error = await failure(operation(use, Self.good))
        #expect(error?.violations.map(\.path) == ["response[0].age"])
        #expect(store.recorded == ["users.get": first])
    }

    @Test("Every reply of a successful call is recorded if the app asks for it")
    func recordAlways() async throws {
        let store = MemoryTemplates()
        let use = TemplateUse(store, validates: false, recording: .always)
        _ = try await operation(use, Self.good).value
        _ = try await operation(use, Self.other).value
        #expect(store.recorded == ["users.get": Self.other])
        _ = await failure(operation(use, #"{"error":{"error_code":1}}"#))
        #expect(store.recorded == ["users.get": Self.other])
    }

    private struct Ticket: JSONReadable {
        static func read(from json: inout JSONReader) -> Ticket? {
            let keys = JSONKeys(required: ["pin", "ticket"], sensitive: ["pin"])
            var (pin, ticket) = (0, "")
            guard json.beginObject(keys) else { return nil }
            while let field = json.nextField() {
                if field == 0 { json.int(&pin) } else { json.string(&ticket) }
            }
            return json.endObject() ? Ticket() : nil
        }
    }

    @Test("What the spec declares to be secret is in no violation, and is not recorded")
    func declaredSecrets() async throws {
        let rules = #"{"pin": 1, "pin-Rules": {"maximum": 9}, "ticket": "t", "#
        let store = MemoryTemplates([
            "enter": #"{"response": \#(rules) "ticket-Rules": {"equalInLength": true}}}"#
        ])
        func call(_ use: TemplateUse) -> NetworkOperation<Ticket> {
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in
                    .json(#"{"response":{"pin":4711,"ticket":"hunter2"}}"#)
                }
            ) {
                $0.templates = use
                $0.settings.clock = .stopped
            }
            let rules = LoginRules(token: ["ticket"])
            let endpoint = Endpoint(.post, "enter", auth: .none, login: rules)
            return manager.operation(RequestBuilder("enter", endpoint).finish(Ticket.read))
        }
        let error = await failure(call(TemplateUse(store)))
        #expect(error?.violations.map(\.rule) == ["max", "length"])
        #expect(error?.violations.map(\.found) == [Violation.redacted, Violation.redacted])
        let recorded = MemoryTemplates()
        _ = try await call(TemplateUse(recorded, recording: .always)).value
        #expect(recorded.recorded["enter"]?.hasPrefix("pin,ticket{") == true)
    }

    @Test("Before the first call, templates are loaded, and those that cannot be used are named")
    func bootstrap() async {
        func broken(_ store: MemoryTemplates, _ methods: [String]) async -> [String: String] {
            let manager = APIManager<TinyAPI>(transport: InMemoryTransport { _ in .bytes() }) {
                $0.templates = TemplateUse(store)
                $0.settings.clock = .stopped
            }
            let report = await manager.bootstrap(loading: methods)
            if !report.brokenTemplates.isEmpty { #expect(!report.isReady) }
            return report.brokenTemplates
        }
        let store = MemoryTemplates(["users.get": Self.template, "wall.get": "{"])
        #expect(await broken(store, ["users.get", "friends.get"]) == [:])
        #expect(await broken(store, ["users.get", "wall.get"]).keys.sorted() == ["wall.get"])
        let gone = await broken(MemoryTemplates(isBroken: true), ["users.get"])
        #expect(gone == ["users.get": "the disk is gone"])
    }

    @Test("Replies are checked with the templates of the description")
    func described() async {
        let manager = APIManager<TemplateAPI>(
            transport: InMemoryTransport { _ in .json(Self.other) },
            credentials: .memory(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
        let request = RequestBuilder("users.get", Endpoint(.get, "users.get"))
            .finish(UsersMapper.get)
        let error = await failure(manager.operation(request))
        #expect(error?.violations.map(\.rule) == ["in"])
        let report = TemplateAPI.validate(
            Array(Self.other.utf8), template: TemplateAPI.templates["users.get"], UsersMapper.get)
        #expect(report.violations.map(\.rule) == ["in"])
    }

    @Test("A server and a transport answer a whole API with its templates")
    func answers() async throws {
        let manager = APIManager<TemplateAPI>(
            transport: InMemoryTransport(templates: TemplateAPI.templates),
            credentials: .memory(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
        let request = RequestBuilder("users.get", Endpoint(.get, "users.get"))
            .finish(UsersMapper.get)
        #expect(try await manager.operation(request).value.map(\.name) == ["a"])
        let unknown = RequestBuilder("users.put", Endpoint(.put, "users.get"))
            .finish(UsersMapper.get)
        #expect(await failure(manager.operation(unknown))?.status == 404)
    }
}

@Suite("Answers from templates")
struct TemplateAnswersTests {
    @Test("The path with the most literal parts answers, whatever the server's own path is")
    func routes() {
        let answers = TemplateAnswers(
            APITemplates([
                MethodTemplate("user", "GET", "users/{id}", #"{"a": 1}"#),
                MethodTemplate("me", "GET", "users/me", #"{"b": 2, "b-Rules": {"minimum": 1}}"#),
                MethodTemplate("tags", "GET", "v2/{+name}/tags", #"{"c": 3}"#),
            ]))
        #expect(body("GET", "/v1/users/7?x=1", answers) == #"{"a":1}"#)
        #expect(body("GET", "/users/me", answers) == #"{"b":2}"#)
        #expect(body("GET", "/v2/library/alpine/tags", answers) == #"{"c":3}"#)
        #expect(body("POST", "/users/me", answers) == "")
        #expect(body("GET", "/groups", answers) == "")
        #expect(body("GET", "/v2/tags", answers) == "")
    }

    @Test("A request of several methods has no answer if their templates differ")
    func ambiguous() {
        let one = MethodTemplate("add", "POST", "jsonrpc", #"{"id": 1}"#)
        let same = MethodTemplate("put", "POST", "jsonrpc", #"{"id": 1}"#)
        let other = MethodTemplate("find", "POST", "jsonrpc", #"{"id": 2}"#)
        let alike = TemplateAnswers(APITemplates([one, same]))
        #expect(body("POST", "/jsonrpc", alike) == #"{"id":1}"#)
        #expect(
            body("POST", "/jsonrpc", TemplateAnswers(APITemplates([one, other])))
                == "each of these methods sends this request: add, find")
    }

    private func body(_ verb: String, _ target: String, _ answers: TemplateAnswers) -> String {
        let request = LoopbackRequest(
            method: verb, target: target, fields: [:], body: [], connection: 0)
        return answers.answer(request).steps.compactMap { step in
            if case .send(let bytes) = step {
                String(decoding: bytes, as: UTF8.self)
            } else {
                nil
            }
        }.joined()
    }
}
