import Aria2Client
import BackendClient
import BookshelfClient
import EtcdClient
import Foundation
import GalleryClient
import NotionClient
import RegistryClient
import TelexRuntime
import TelexTesting
import Testing
import TrackerClient
import TransmissionClient
import VKClient

/// The generated clients check each reply by the spec and fail for a violation.
@Suite("A generated client and the mock of its spec")
struct ClientTests {
    @Test(
        "The client of the backend keeps a user that it has changed, and loses one that it removed")
    func backend() async throws {
        let test = try MockTest("backend")
        let backend = APIManager<Backend>(
            transport: test.transport, credentials: .memory(Credential(token: "0123456789abcdef"))
        ) { $0.settings = test.settings }
        let page = try await backend.users.list().value
        let first = try #require(page.users.first)
        #expect(try await backend.users.get(id: first.id).value.email == first.email)
        let changed = try await backend.users.update(id: first.id, firstName: "Zoe").value
        #expect(changed.firstName == "Zoe")
        #expect(try await backend.users.get(id: first.id).value.firstName == "Zoe")
        try await backend.users.delete(id: first.id).value
        let error = await #expect(throws: APIError.self) {
            try await backend.users.get(id: first.id).value
        }
        #expect(error?.status == 404)
        let session = try await backend.accounts.signIn(
            email: "ada@example.com", password: "correct horse"
        ).value
        #expect(session.token.count >= 16)
    }

    @Test("The client of the bookshelf logs in, adds a book, and finds it in the pages")
    func bookshelf() async throws {
        let test = try MockTest("bookshelf")
        let shelf = APIManager<Bookshelf>(
            transport: test.transport, credentials: MemoryCredentialStore()
        ) { $0.settings = test.settings }
        _ = try await shelf.token.obtain(username: "ada", password: "secret").value
        let added = try await shelf.books.add(
            book: Book.Input(
                isbn: "9783161484100", title: "Notes", genre: .novel, price: 12.5, published: nil,
                finished: nil)
        ).value
        #expect(added.title == "Notes")
        #expect(try await shelf.books.get(id: added.id).value == added)
        var titles: [String] = []
        for try await book in shelf.books.listPages(pageSize: 2).items { titles.append(book.title) }
        #expect(titles.contains("Notes") && titles.count > 4)
        try await shelf.books.remove(id: added.id).value
        await #expect(throws: APIError.self) { try await shelf.books.get(id: added.id).value }
    }

    @Test("The client of VK reads templates, and pages of them")
    func vk() async throws {
        let test = try MockTest("vk")
        let vk = APIManager<VK>(
            transport: test.transport, credentials: .memory(Credential(token: "token"))
        ) { $0.settings = test.settings }
        let users = try await vk.users.get(userIDs: ["1"]).value
        #expect(users.first?.firstName == "Ada")
        #expect(try await vk.wall.get().value.count == 41)
    }

    @Test("The client of the tracker gets what a method returns in each of its forms")
    func tracker() async throws {
        let test = try MockTest("tracker")
        let tracker = APIManager<Tracker>(
            transport: test.transport, credentials: MemoryCredentialStore()
        ) { $0.settings = test.settings }
        _ = try await tracker.session.logIn(name: "ada", password: "secret").value
        #expect(try await tracker.issues.list().value.value.first?.title == "It crashes")
        _ = try await tracker.issues.create(title: "Slow").value
        try await tracker.issues.close(id: 7).value
        _ = try await tracker.issues.people(id: 7).value
        #expect(try await !tracker.issues.log(id: 7).value.isEmpty)
        _ = try await tracker.issues.export().value
    }

    @Test("The clients of procedure calls get the id of the call and their pages")
    func procedures() async throws {
        let test = try MockTest("aria2")
        let aria2 = APIManager<Aria2>(
            transport: test.transport, credentials: MemoryCredentialStore()
        ) { $0.settings = test.settings }
        let secret = "token:secret"
        _ = try await aria2.program.version(secret: secret).value
        var count = 0
        for try await _ in aria2.downloads.waitingPages(secret: secret, count: 2).items {
            count += 1
        }
        #expect(count == 5)
        #expect(test.lines.contains { $0.hasSuffix("made, 5…5 of 5") }, "\(test.lines)")
    }

    @Test("The client of the daemon takes the token that a refusal hands out")
    func transmission() async throws {
        let test = try MockTest("transmission")
        let daemon = APIManager<Transmission>(
            transport: test.transport,
            credentials: .memory(try Credential(user: "ada", password: "secret"))
        ) { $0.settings = test.settings }
        _ = try await daemon.torrents.list().value
        _ = try await daemon.session.get().value
        #expect(test.exchanges.map(\.status) == [409, 200, 200])
    }

    @Test("The clients of streams get each element of JSON Lines and of events")
    func streams() async throws {
        var test = try MockTest("etcd")
        let etcd = APIManager<Etcd>(
            transport: test.transport,
            credentials: .memory(Credential(token: "token"))
        ) { $0.settings = test.settings }
        var changes = 0
        for try await _ in etcd.watch.begin(key: Data("a".utf8)).elements { changes += 1 }
        #expect(changes == 3)
        _ = try await etcd.kv.transact(compare: []).value

        test = try MockTest("gallery")
        let gallery = APIManager<Gallery>(
            transport: test.transport,
            credentials: .memory(Credential(token: "token"))
        ) { $0.settings = test.settings }
        var pictures = 0
        for try await _ in gallery.pictures.watch().elements { pictures += 1 }
        #expect(pictures == 3)
    }

    @Test("The clients of large models read what is made from their types")
    func models() async throws {
        var test = try MockTest("notion")
        let notion = APIManager<Notion>(
            transport: test.transport,
            credentials: .memory(Credential(token: "token"))
        ) { $0.settings = test.settings }
        for _ in 0..<5 {
            _ = try await notion.pages.get(pageID: UUID()).value
            _ = try await notion.blocks.children(blockID: UUID()).value
        }
        _ = try await notion.pages.search().value
        test = try MockTest("registry")
        let registry = APIManager<Registry>(
            transport: test.transport,
            credentials: .memory(try Credential(user: "ada", password: "secret"))
        ) { $0.settings = test.settings }
        var names = 0
        for try await _ in registry.repositories.listPages(n: 2).items { names += 1 }
        #expect(names == 5)
        _ = try await registry.manifests.get(name: "a/b", reference: "latest").value
    }

    @Test("Twenty calls with an expired token see one refresh")
    func refresh() async throws {
        let test = try MockTest("gallery") { $0.tokenLife = .seconds(60) }
        let first = test.send(
            "POST", "/token", fields: [.contentType: "application/x-www-form-urlencoded"],
            body: Array("grant_type=client_credentials".utf8))
        let token = try #require(first.json?["access_token"]?.asString)
        let refresh = try #require(first.json?["refresh_token"]?.asString)
        let gallery = APIManager<Gallery>(
            transport: test.transport,
            credentials: .memory(Credential(token: token, refreshToken: refresh))
        ) { $0.settings = test.settings }
        test.clock.advance(by: .seconds(61))
        await withTaskGroup { group in
            for id in 1...20 {
                group.addTask { _ = try? await gallery.pictures.get(id: id).value }
            }
        }
        let renewals = test.lines.filter { $0.contains("token renewed") }
        #expect(renewals.count == 1, "\(test.lines)")
        #expect(test.exchanges.count { $0.status == 200 && $0.method != nil } == 20)
    }
}
