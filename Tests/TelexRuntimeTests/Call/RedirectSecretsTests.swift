import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A redirect to another origin")
struct RedirectSecretsTests {
    private typealias Fill = (inout RequestBuilder) -> Void

    /// Returns the error of a redirected call, and the addresses of its requests.
    private func call(
        _ method: TinyAPI.APIMethod = .usersSave, to location: String, _ status: Int = 307,
        fill: Fill
    ) async -> (error: APIError?, requests: [SentRequest]) {
        let (manager, transport) = tiny { request in
            request.head.authority == "api.tiny.test"
                ? .bytes(status: .init(code: status), fields: .location(location)) : .bytes()
        }
        var request = RequestBuilder(method)
        fill(&request)
        let error = await failure(manager.operation(request.finishEmpty()))
        return (error, transport.requests)
    }

    private func isRefused(_ error: APIError?) -> Bool {
        if case .refusedRedirect = error?.reason { true } else { false }
    }

    @Test("a redirect to another origin receives no sensitive body and no sensitive file")
    func bodies() async {
        let file = UploadFile(bytes: Array("hunter2".utf8), name: "key.pem")
        let fills: [Fill] = [
            { $0.part("key", file, sensitive: true) },
            { $0.part("keys", [file], sensitive: true) },
            { $0.part("secret", file) },
            { $0.file(file, sensitive: true) },
            { $0.bytes(Array("hunter2".utf8), sensitive: true) },
            { $0.json(sensitive: true) { $0.value("hunter2") } },
            { $0.jsonObject { $0.field("password", "hunter2") } },
            { $0.jsonObject { $0.field("sessionId", "hunter2") } },
        ]
        for (index, fill) in fills.enumerated() {
            let (error, requests) = await call(to: "https://evil.test/", fill: fill)
            #expect(isRefused(error), "\(index)")
            #expect(requests.count == 1, "\(index)")
        }
    }

    @Test("a redirect to another origin receives other bodies")
    func otherBodies() async {
        let file = UploadFile(bytes: [1], name: "a")
        let fills: [Fill] = [
            { $0.part("photo", file) }, { $0.file(file) }, { $0.bytes([1]) },
            { $0.json { $0.value("a") } },
        ]
        for fill in fills {
            let (error, requests) = await call(to: "https://other.test/", fill: fill)
            #expect(error == nil)
            #expect(requests.last?.body.isEmpty == false)
        }
    }

    @Test(
        "a redirect to another origin is refused if its address repeats a sensitive value",
        arguments: [
            "https://evil.test/files/hunter2/x", "https://evil.test/?other=hunter2",
            "https://evil.test/%68unter2", "https://hunter2.evil.test/",
            "https://HUNTER2.evil.test/",
        ])
    func repeated(_ location: String) async {
        let fills: [Fill] = [
            { $0.query("q", "hunter2", sensitive: true) },
            { $0.header("X-Answer", "hunter2", sensitive: true) },
            { $0.header("X-Api-Key", "hunter2") },
            { $0.form("q", "hunter2", sensitive: true) },
            { $0.form("login", ["password": "hunter2"]) },
            { $0.jsonObject { $0.field("q", "hunter2", sensitive: true) } },
        ]
        for (index, fill) in fills.enumerated() {
            let (error, requests) = await call(to: location, 303, fill: fill)
            #expect(isRefused(error), "\(index)")
            #expect(requests.count == 1, "\(index)")
            #expect(error?.description.contains("hunter2") == false)
        }
        let (error, requests) = await call(.file, to: location) {
            $0.path("name", "hunter2", sensitive: true)
        }
        #expect(isRefused(error) && requests.count == 1)
    }

    @Test("a redirect elsewhere is refused if its host repeats a sensitive value in lower case")
    func repeatedInHost() async {
        let (error, requests) = await call(to: "https://HUNTER2.evil.test/", 303) {
            $0.query("q", "HUNTER2", sensitive: true)
        }
        #expect(isRefused(error) && requests.count == 1)
    }

    @Test("a redirect elsewhere is refused if its address has a cookie or a value after a scheme")
    func headers() async {
        for (name, value) in [
            ("Cookie", "theme=dark; sid=0123456789abcdef"),
            ("Authorization", "Basic MDEyMzQ1Njc4OWFiY2RlZg=="),
        ] {
            for piece in ["0123456789abcdef", "MDEyMzQ1Njc4OWFiY2RlZg"]
            where value.contains(piece) {
                let (error, requests) = await call(to: "https://evil.test/\(piece)") {
                    if name == "Cookie" { $0.header("Cookie", value) }
                    if name != "Cookie" { $0.header("Authorization", value) }
                }
                #expect(isRefused(error) && requests.count == 1, "\(name)")
            }
        }
    }

    @Test(
        "a redirect elsewhere is refused if it repeats a header field's password, however short",
        arguments: [
            "https://evil.test/p4ssw0rd/x", "https://evil.test/?p=p4ssw0rd",
            "https://evil.test/ann:p4ssw0rd", "https://p4ssw0rd.evil.test/",
            "https://evil.test/?p=p%34!",
        ])
    func password(_ location: String) async {
        let password = location.contains("!") ? "p4!" : "p4ssw0rd"
        let pair = Taints.base64("ann:\(password)")
        for name in ["Authorization", "Proxy-Authorization"] {
            let (error, requests) = await call(to: location) { $0.header(name, "Basic \(pair)") }
            #expect(isRefused(error) && requests.count == 1, "\(name)")
        }
    }

    @Test(
        "a redirect elsewhere is refused if its address repeats the password of a Basic token",
        arguments: [
            "https://evil.test/p4ssw0rd/x", "https://evil.test/?p=p4ssw0rd",
            "https://evil.test/ann:p4ssw0rd", "https://p4ssw0rd.evil.test/",
            "https://evil.test/?p=p%34!",
        ])
    func tokenPassword(_ location: String) async {
        let password = location.contains("!") ? "p4!" : "p4ssw0rd"
        await VaultAPI.$placement.withValue(.header("Authorization", prefix: "Basic ")) {
            let transport = InMemoryTransport { request in
                request.head.authority == "vault.test"
                    ? .bytes(status: .found, fields: .location(location)) : .bytes()
            }
            let manager = TestAPI.manager(
                VaultAPI.definition, transport: transport,
                credentials: .memory(Credential(token: Taints.base64("ann:\(password)"))))
            let request = RequestBuilder(VaultAPI.APIMethod.form).finishEmpty()
            let error = await failure(manager.operation(request))
            #expect(isRefused(error))
            #expect(transport.requests.count == 1)
            #expect(error?.description.contains(password) == false)
        }
    }

    @Test("a redirect to another origin is followed if its address has a short value by chance")
    func chance() async {
        for (location, isRefused) in [
            ("https://other.test/v17/dark-mode", false), ("https://other.test/7/x", true),
            ("https://other.test/?page=7", true),
        ] {
            let (error, requests) = await call(to: location) {
                $0.query("pin", 7, sensitive: true)
                $0.header("Cookie", "theme=dark")
            }
            #expect(self.isRefused(error) == isRefused, "\(location)")
            #expect(requests.count == (isRefused ? 1 : 2), "\(location)")
        }
    }

    @Test("a redirect elsewhere gets no value of the credential, even if its address has it")
    func credentialValue() async {
        let (error, requests) = await call(to: "https://other.test/?owner_id=7&a=1") {
            $0.query("owner_id", String?.none, orCredential: "user_id")
            $0.header("X-Owner", String?.none, orCredential: "user_id")
        }
        #expect(error == nil)
        #expect(requests.first?.head.path?.contains("owner_id=7") == true)
        #expect(requests.last?.head.path == "/?a=1")
        #expect(requests.last?.head.headerFields.contains { $0.name.rawName == "X-Owner" } == false)
    }

    @Test("a redirect elsewhere gets no item of a sensitive list, under any field name")
    func list() async {
        let (error, requests) = await call(to: "https://other.test/?q%5B0%5D=hunter2&a=1") {
            $0.query("q", ["hunter2"], list: .indexed, sensitive: true)
        }
        #expect(error == nil)
        #expect(requests.last?.head.path == "/?a=1")
    }
}

@Suite("A sensitive body or reply")
struct WholeSecretTests {
    private final class Reader: APIEventListener {
        let bodyLimit = 1024
        let log = Log()

        func handle(_ event: APIEvent) { log.add("\(event) \(String(reflecting: event))") }
    }

    @Test("a sensitive body or reply is not shown to listeners")
    func records() async throws {
        for isText in [true, false] {
            let reader = Reader()
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in .bytes() },
                credentials: .memory(Credential(token: secret))
            ) {
                $0.settings.clock = .stopped
                $0.listeners = [reader]
            }
            var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
            if isText {
                request.bytes(Array("hunter2".utf8), type: "text/plain", sensitive: true)
            } else {
                request.json(sensitive: true) { $0.value(["hunter2"]) }
            }
            request.header("X-Note", "hunter")
            try await manager.operation(request.finishEmpty()).value
            #expect(!reader.log.text.contains("hunter2"))
            #expect(reader.log.text.contains("X-Note: hunter"))
        }
    }

    @Test("a sensitive body or reply hides header fields and body of a reply")
    func response() async throws {
        let reply = #"{"response":[{"id":"1","name":"Ann"}]}"#
        let (manager, _) = tiny { _ in .json(reply, fields: [.setCookie: "sid=hunter2"]) }
        let response = try await manager.operation(UsersRequests.get(ids: ["1"])).response
        let text = "response (status 200, \(reply.utf8.count) bytes, 1 attempt)"
        #expect("\(response)" == text)
        #expect(String(reflecting: response) == text)
        var dumped = ""
        dump(response, to: &dumped)
        #expect(!dumped.contains("hunter2"))
        #expect(response.head?.headerFields[.setCookie] == "sid=hunter2")
    }
}
