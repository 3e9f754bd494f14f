import Foundation
import TelexRuntime
import TelexTesting
import Testing
import VKClient

@Suite("The page on pages of lists")
struct PagesPageTests {
    private let label = Display()

    /// A wall with three posts, two a page.
    private let transport = InMemoryTransport { request in
        let isFirst = request.head.path?.contains("offset=0") == true
        let posts = (isFirst ? [1, 2] : [3]).map {
            #"{"id": \#($0), "owner_id": 7, "date": 1, "text": ""}"#
        }
        return .json(
            #"{"response": {"count": 3, "items": [\#(posts.joined(separator: ", "))]}}"#)
    }

    private var vk: APIManager<VK> {
        APIManager<VK>(
            transport: transport,
            credentials: .memory(Credential(token: "secret", values: ["user_id": "7"])))
    }

    @Test("the page on pages of lists reads the items of all pages")
    func items() async throws {
        for try await post in vk.wall.getPages(count: 2).items {
            label.show(post.id)
            if post.id == 3 { break }
        }
        #expect(label.lines == ["1", "2", "3"])
        #expect(transport.requests.count == 2)
    }

    @Test("the page on pages of lists goes on from a stored position")
    func positions() async throws {
        var stored = Data()
        let list = vk.wall.getPages(count: 2)
        for try await page in list.pages {
            label.show(page.value.count, page.items.count)
            stored = try JSONEncoder().encode(page.next)
            break
        }
        let position = try JSONDecoder().decode(PagePosition?.self, from: stored)
        for try await post in list.starting(at: position ?? .start).items { label.show(post.id) }
        #expect(label.lines == ["3 2", "3"])
    }

    @Test("the page on pages of lists loads page by page")
    func pager() async throws {
        let pager = Pager(vk.wall.getPages(count: 2))
        while !pager.isAtEnd { try await pager.loadNext() }
        label.show(pager.items.count)
        pager.reset()
        #expect(label.lines == ["3"] && pager.items.isEmpty && !pager.isAtEnd)
    }

    @Test("the page on pages of lists pages with a fake")
    func fake() async throws {
        let posts = try await vk.wall.get().value.items
        let (dusk, dawn) = (try #require(posts.first), try #require(posts.last))
        let fake = WallFake()
        fake.onGet { call in WallPage(count: 2, items: call.offset == 0 ? [dusk] : [dawn]) }
        for try await post in fake.getPages().items { label.show(post.id) }
        #expect(label.lines == ["1", "2"])
        #expect(fake.onGet.calls.map(\.offset) == [0, 1])
    }
}
