import TelexJSON
import TelexRuntime
import TelexTesting
import Testing
import VKClient

@Suite("The generated client of VK")
struct VKClientTests {
    private func vk(_ transport: InMemoryTransport) -> APIManager<VK> {
        APIManager<VK>(
            transport: transport,
            credentials: .memory(Credential(token: "secret", values: ["user_id": "7"])))
    }

    @Test("VK's client sends the spec's parameters, base parameters and token, and maps the reply")
    func call() async throws {
        let transport = InMemoryTransport { _ in
            .json(#"{"response": [{"id": 1, "first_name": "Ada", "unknown": [1, {}]}]}"#)
        }
        let users = try await vk(transport).users.get(userIDs: ["1"], fields: [.photo50]).value
        #expect(users.first?.firstName == "Ada")
        let path = transport.requests.first?.head.path
        #expect(
            path
                == "/method/users.get?v=5.199&user_ids=1&fields=photo_50&name_case=nom&access_token=secret"
        )
    }

    @Test("the generated client of VK reads friends as identifiers or as profiles")
    func friends() async throws {
        let transport = InMemoryTransport { request in
            let hasFields = request.head.path?.contains("fields=") == true
            let items = hasFields ? #"[{"id": 1, "first_name": "Ada"}]"# : "[1, 2]"
            return .json(#"{"response": {"count": 2, "items": \#(items)}}"#)
        }
        var seen: [String] = []
        for fields in [nil, [UserField.photo50]] {
            for friend in try await vk(transport).friends.get(fields: fields).value.items {
                switch friend {
                case .id(let id): seen.append("\(id)")
                case .profile(let profile): seen.append(profile.firstName ?? "")
                case .unknown(let value): seen.append("\(value)")
                }
            }
        }
        #expect(seen == ["1", "2", "Ada"])
    }

    @Test("the generated client of VK takes a default from the credential, and posts a form")
    func form() async throws {
        let transport = InMemoryTransport { _ in .json(#"{"response": {"post_id": 3}}"#) }
        let reply = try await vk(transport).wall.post(message: "a & b").value
        #expect(reply.postID == 3)
        let request = try #require(transport.requests.first)
        #expect(request.head.method == .post)
        #expect(
            request.text.contains("message=a+%26+b") || request.text.contains("message=a%20%26%20b")
        )
        #expect(request.text.contains("owner_id=7"))
    }

    @Test("VK's client recognises an error code in a reply of status 200, and reads its details")
    func failure() async throws {
        let transport = InMemoryTransport { _ in
            .json(
                """
                {"error": {"error_code": 14, "error_msg": "Captcha needed", "captcha_sid": "9",
                 "captcha_img": "https://vk.com/captcha.png"}}
                """)
        }
        do {
            _ = try await vk(transport).wall.get().value
            Issue.record("the call succeeded")
        } catch let error as APIError {
            #expect(error.code(in: VK.self) == .captchaNeeded)
            #expect(error.detail(as: Captcha.self)?.captchaSid == "9")
        }
    }

    @Test("properties give the same request as arguments, and all violations are reported")
    func properties() async throws {
        let manager = vk(InMemoryTransport { _ in .json("{}") })
        let typed = WallRequests.get(
            ownerID: 5, offset: 0, count: 3, filter: .all, extended: false, fields: nil)
        let dynamic = try VK.request(.wallGet, properties: ["owner_id": 5, "count": 3])
        #expect(
            try await manager.httpRequest(for: typed).path
                == manager.httpRequest(for: dynamic).path)
        do {
            _ = try VK.request(.wallGet, properties: ["owner_id": "me", "cuont": 3])
            Issue.record("the request was built")
        } catch {
            #expect(error.violations.map(\.path).sorted() == ["cuont", "owner_id"])
        }
    }

    @Test("the generated client of VK validates a reply by the name of its method")
    func validation() {
        let reply = Array(#"{"response": [{"id": "one"}, {}]}"#.utf8)
        let report = VK.validate(reply, from: .usersGet)
        #expect(report.violations.map(\.path) == ["response[0].id", "response[1].id"])
        #expect(VK.validate(Array(#"{"response": [{"id": 1}]}"#.utf8), from: .usersGet).isValid)
    }

    @Test("the generated client of VK has fakes, which fail until they have a stub")
    func fake() async throws {
        let users = UsersFake()
        await #expect(throws: FakeError("users.get")) { try await users.get(userIDs: ["1"]).value }
        users.onGet { call in (call.userIDs ?? []).map { _ in UserProfile(id: 1) } }
        #expect(try await users.get(userIDs: ["1", "2"]).value.count == 2)
    }
}
