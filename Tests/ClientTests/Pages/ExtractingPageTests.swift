import TelexJSON
import TelexRuntime
import TelexTesting
import Testing
import VKClient

@Suite("The page on single values of replies")
struct ExtractingPageTests {
    private let label = Display()

    @Test("the page on single values of replies reads values of the reply of a call")
    func calls() async throws {
        let transport = InMemoryTransport { _ in
            .json(#"{"response": {"count": 41, "items": []}}"#)
        }
        let vk = APIManager<VK>(
            transport: transport,
            credentials: .memory(Credential(token: "secret", values: ["user_id": "7"])))
        let response = try await vk.wall.get(count: 1).response
        label.show(try WallExtractions.itemsCount(inGet: response.body))
        label.show(try WallExtractions.firstText(inGet: response.body))
        #expect(label.lines == ["41", "–"])
    }

    @Test("the page on single values of replies reads a value of a part")
    func parts() throws {
        let counters: JSONValue = ["followers": 12, "friends": 5]
        let followers = try UsersExtractions.followers(inGetFromCounters: try counters.jsonBytes())
        #expect(followers == 12)
    }
}
