import TelexRuntime
import TelexTesting
import Testing
import VKClient

@Suite("The page on shared fields")
struct SharedFieldsPageTests {
    @Test("the page on shared fields finds the authors of posts")
    func authors() async throws {
        let transport = InMemoryTransport { _ in
            .json(
                """
                {"response": {"count": 4,
                 "items": [{"from_id": 1}, {"from_id": -2}, {"from_id": 3}, {}],
                 "profiles": [{"id": 1, "first_name": "Ada"}],
                 "groups": [{"id": 2, "name": "Swift"}]}}
                """)
        }
        let vk = APIManager<VK>(
            transport: transport, credentials: .memory(Credential(token: "a")))
        let page = try await vk.wall.get(ownerID: 1, extended: true).value
        var names: [String] = []
        let authors = page.authors()
        for post in page.items {
            switch post.fromID.flatMap({ authors[$0] }) {
            case .profile(let user): names.append(user.firstName ?? "")
            case .group(let community): names.append(community.name ?? "")
            case nil: names.append("?")
            }
        }
        #expect(names == ["Ada", "Swift", "?", "?"])
    }
}
