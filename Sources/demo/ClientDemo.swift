import Foundation
import TelexRuntime
import TelexTesting
import TelexURLSession
import VKClient

/// The second part: calls a local server with the generated client.
enum ClientDemo {
    static func run() async throws {
        let server = try LoopbackServer(FakeVKServer.answer)
        defer { server.stop() }
        DemoConsole.title("4. A fake VK server listens on \(server.authority)")
        let wire = RecordingTransport(.urlSession)
        let vk = APIManager<VK>(
            transport: wire,
            credentials: .memory(Credential(token: "a-secret-token", values: ["user_id": "1"]))
        ) {
            $0.server = .named("local", ["port": String(server.port)])
            $0.onEvent = { event in DemoConsole.say(event.description) }
        }

        DemoConsole.title("5. vk.users.get(userIDs: [\"1\", \"2\"])")
        let users = try await vk.users.get(userIDs: ["1", "2"]).value
        DemoConsole.say("received: \(reply(wire))")
        DemoConsole.say("mapped values:")
        for user in users {
            let name = [user.firstName, user.lastName].compactMap(\.self).joined(separator: " ")
            let time = user.lastSeen?.time.map { $0.formatted(.iso8601) }
            let seen = time.map { ", last seen \($0)" } ?? ""
            DemoConsole.say("  \(user.id): \(name)\(seen)")
        }
        await failures(vk, wire)
        try await upload(to: server)
        try template()
        try await fake()
    }

    /// The body of the last reply, on one line.
    private static func reply(_ wire: RecordingTransport) -> String {
        let body = String(decoding: wire.exchanges.last?.replyBody ?? [], as: UTF8.self)
        return body.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func failures(_ vk: APIManager<VK>, _ wire: RecordingTransport) async {
        DemoConsole.title("6. vk.wall.get(): the server answers 200, with an error in the body")
        await fail { _ = try await vk.wall.get(ownerID: 13).value }
        DemoConsole.say("received: \(reply(wire))")

        DemoConsole.title("7. vk.friends.get(): a reply that breaks the spec in several places")
        await fail { _ = try await vk.friends.get(userID: 1).value }
        DemoConsole.say("received: \(reply(wire))")

        DemoConsole.title("8. vk.wall.get(count: 500): refused before anything is sent")
        await fail { _ = try await vk.wall.get(count: 500).value }
    }

    /// Posts a photo with a client whose events are not printed.
    private static func upload(to server: LoopbackServer) async throws {
        DemoConsole.title("9. vk.post([photo], saying: \"Dusk\"): four calls, one operation")
        let vk = APIManager<VK>(
            transport: .urlSession,
            credentials: .memory(Credential(token: "a-secret-token", values: ["user_id": "7"]))
        ) { $0.server = .named("local", ["port": String(server.port)]) }
        let photo = UploadFile(bytes: [0xFF, 0xD8, 0xFF, 0xE0], name: "dusk.jpg")
        let number = try await vk.post([photo], saying: "Dusk").value
        let paths = server.requests.suffix(4).map(\.path)
        DemoConsole.say("post \(number), after \(paths.joined(separator: ", "))")
    }

    private static func fail(_ call: () async throws -> Void) async {
        do {
            try await call()
            DemoConsole.say("  succeeded, which the demo did not expect")
        } catch let error as APIError {
            if let code = error.code(in: VK.self) {
                DemoConsole.say("  code \(code.rawValue), known to the spec: \(code.isKnown)")
            }
            for violation in error.violations {
                DemoConsole.say(
                    "  \(violation.path): \(violation.rule), expected \(violation.expected), "
                        + "found \(violation.found)")
            }
        } catch {
            DemoConsole.say("  \(error)")
        }
    }

    private static func template() throws {
        DemoConsole.title("10. A reply that breaks a rule of a template, a good reply with rules")
        let text = """
            { "response": [{
                "id": 1,
                "age": 20, "age-Rules": { "minimum": 18, "maximum": 27 }
            }] }
            """
        for line in text.split(separator: "\n") { DemoConsole.say("  \(line)") }
        let reply = #"{"response": [{"id": 1, "age": 19}, {"id": 2, "age": 17}]}"#
        DemoConsole.say("received: \(reply)")
        let template = try Template(parsing: Array(text.utf8), of: "users.get.json")
        for violation in template.validate(Array(reply.utf8)).violations {
            DemoConsole.say("  \(violation)")
        }
    }

    private static func fake() async throws {
        DemoConsole.title("11. The same screen in a test: UsersFake, no server at all")
        let users = UsersFake()
        users.onGet { call in
            (call.userIDs ?? []).map { _ in UserProfile(id: 7, firstName: "Ada") }
        }
        try await greet(users)
        DemoConsole.title("The end. Next: README.md, specs/vk, Generated/VKClient.")
    }

    /// A screen that depends only on the protocol of its calls.
    private static func greet(_ users: some UsersAPI) async throws {
        let first = try await users.get(userIDs: ["7"]).value.first
        DemoConsole.say("  Hello, \(first?.firstName ?? "nobody")!")
    }
}
