import TelexJSON
import TelexRuntime
import TelexTesting
import Testing
import VKClient

@Suite("The rules of the VK spec")
struct VKRulesTests {
    @Test("the rules of the VK spec are in the client's definition and endpoints")
    func rules() throws {
        let definition = VK.definition
        #expect(definition.traffic == TrafficLimits(rate: RequestRate(3, per: .seconds(1))))
        #expect(definition.auth.refresh == .app)
        #expect(definition.retry.attempts == 3 && definition.retry.conditions.contains(.code("6")))
        let logout = AuthRequests.logout().endpoint
        #expect(logout.operation == OperationRules(throttle: Throttle(.milliseconds(1500))))
        let upload = try VK.request(
            .photosUpload, properties: ["upload_url": "https://upload.vk.test/", "photo": "a"]
        ).endpoint
        #expect(upload.operation.kind == .upload && upload.timeouts?.total == .seconds(600))
    }

    private let vk = ScriptedVKServer()

    @Test("a post without message and attachments is refused, and nothing is sent")
    func emptyPost() async throws {
        let manager = vk.manager()
        let error = await #expect(throws: APIError.self) { try await manager.wall.post().value }
        let violation = try #require(error?.violations.first)
        #expect(violation.path == "message" && violation.rule == "at-least-one")
        #expect(violation.expected == "at least one of `message`, `attachments`")
        #expect(violation.found == "none" && error?.violations.count == 1)
        #expect(vk.calls.isEmpty)
    }

    @Test("a half of a position breaks its rule besides the others")
    func position() async {
        let manager = vk.manager()
        let error = await #expect(throws: APIError.self) {
            try await manager.wall.post(lat: 91).value
        }
        #expect(error?.violations.map(\.path) == ["message", "long", "lat"])
        #expect(error?.violations.map(\.rule) == ["at-least-one", "required-if", "max"])
        #expect(vk.calls.isEmpty)
    }

    @Test("a user and a community exclude each other, also by properties")
    func owners() async throws {
        let manager = vk.manager()
        let both = manager.photos.saveWallPhoto(photo: "p", userID: 3, groupID: 4)
        let error = await #expect(throws: APIError.self) { try await both.value }
        #expect(error?.violations.map(\.rule) == ["at-most-one"])
        #expect(error?.violations.first?.found == "`user_id` 3, `group_id` 4")
        let request = try VK.request(
            .photosSaveWallPhoto, properties: ["photo": "p", "user_id": 3, "group_id": 4])
        await #expect(throws: APIError.self) {
            try await manager.operation(request).value
        }
        #expect(vk.calls.isEmpty)
    }

    @Test("the user is the default owner, unless a community is given")
    func defaultOwner() async throws {
        _ = try await vk.manager().photos.saveWallPhoto(photo: "p").value
        _ = try await vk.manager().photos.saveWallPhoto(photo: "p", groupID: 4).value
        let forms = vk.requests("photos.saveWallPhoto").map(\.form)
        #expect(forms.map { $0["user_id"] } == ["7", nil])
        #expect(forms.map { $0["group_id"] } == [nil, "4"])
    }

    @Test("a fake answers with the templates of the spec, and fails without one")
    func examples() async throws {
        let wall = WallFake.examples
        #expect(try await wall.post(message: "a").value.postID == 55)
        #expect(wall.onPost.calls.count == 1)
        #expect(try await wall.get().value.items.first?.text == "Hello!")
        await #expect(throws: FakeError.self) { try await AuthFake().logout().value }
    }

    @Test("a reply that fits its type is refused by a rule of its template alone")
    func templateRule() {
        let none = VK.validate(Array(#"{"response": []}"#.utf8), from: .photosSaveWallPhoto)
        #expect(none.violations.map { "\($0.path) \($0.rule)" } == ["response min-items"])
    }

    @Test("an example that breaks a rule at run time is no answer")
    func badExample() async {
        let photos = PhotosFake()
        photos.onSaveWallPhoto.answer(json: "[{}]")
        await #expect(throws: ValidationReport.self) {
            try await photos.saveWallPhoto(photo: "p").value
        }
    }

    private struct Calendar: VKReplyChecks {
        func birthDay(_ value: String) -> Bool {
            let numbers = value.split(separator: ".").compactMap { Int($0) }
            return numbers.count >= 2 && (1...31).contains(numbers[0])
                && (1...12).contains(numbers[1])
        }
    }

    @Test("the app tells a birthday that no calendar has, and the profile is returned")
    func birthDay() async throws {
        let days = ["23.11.1985", "31.13", "1.1"].enumerated().map {
            #"{"id": \#($0), "first_name": "A", "last_name": "B", "bdate": "\#($1)"}"#
        }
        let reply = #"{"response": [\#(days.joined(separator: ","))]}"#
        let manager = APIManager<VK>(
            transport: InMemoryTransport { _ in .json(reply) },
            credentials: .memory(Credential(token: "token"))
        ) { $0.checks = Calendar() }
        let response = try await manager.users.get().response
        #expect(response.value.count == 3)
        #expect(
            response.warnings.map(\.description) == [
                #"response[1].bdate: no day of the calendar (expected a value that the app "#
                    + #"accepts, found "31.13") [birth-day]"#
            ])
    }
}
