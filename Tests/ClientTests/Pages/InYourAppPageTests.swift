import Foundation
import GalleryClient
import TelexFoundation
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

struct DefaultsStore: CredentialStore {
    let key: String

    func read() async throws(CredentialStoreError) -> Credential? {
        guard let data = UserDefaults.standard.data(forKey: key) else { return nil }
        let stored = JSONReader.read(Array(data)) { json -> Credential? in json.value() }
        guard let credential = stored.value else {
            throw CredentialStoreError(.read, "the defaults hold no credential", needsLogin: true)
        }
        return credential
    }

    func save(_ credential: Credential) async throws(CredentialStoreError) {
        var json = JSONWriter()
        json.value(credential)
        UserDefaults.standard.set(Data(json.bytes), forKey: key)
    }

    func clear() async throws(CredentialStoreError) {
        UserDefaults.standard.removeObject(forKey: key)
    }
}

@Suite("The page on what apps ask next")
struct InYourAppPageTests {
    private actor Database {
        private(set) var titles: [String] = []

        func save(_ pictures: [Picture]) { titles += pictures.map(\.title) }
    }

    private let loginScreen = LoginScreen()

    @Test("the store that the page shows keeps the whole credential, and says when it cannot")
    func store() async throws {
        let key = "telex.\(UUID())"
        let store = DefaultsStore(key: key)
        defer { UserDefaults.standard.removeObject(forKey: key) }
        #expect(try await store.read() == nil)
        let credential = Credential(
            token: "t", values: ["user_id": "7"], expiry: Date(timeIntervalSince1970: 1),
            refreshToken: "r")
        try await store.save(credential)
        #expect(try await store.read() == credential)
        UserDefaults.standard.set(Data("{".utf8), forKey: key)
        await #expect(throws: CredentialStoreError.self) { try await store.read() }
        try await store.clear()
        #expect(try await store.read() == nil)
    }

    @Test("the page on what apps ask next reacts to the errors of all calls in one place")
    func errors() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .unauthorized) }
        let credentials = MemoryCredentialStore(Credential(token: "old"))
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials) {
            $0.onEvent = { event in
                guard case .failed(let error) = event.kind else { return }
                if error.needsLogin { loginScreen.show() }
            }
        }
        await #expect(throws: APIError.self) { try await gallery.pictures.get(id: 7).value }
        #expect(loginScreen.display.lines == ["login"])
    }

    @Test("the page on what apps ask next puts a call into a Foundation queue, after other work")
    func queue() async throws {
        let (gallery, queue, label) = (makeGallery(), OperationQueue(), Display())
        let resize = BlockOperation { label.show("resized") }
        let call = gallery.pictures.get(id: 7)
        let work = call.foundationOperation
        work.addDependency(resize)
        queue.addOperation(work)
        queue.addOperation(resize)
        for await _ in call.states {}
        #expect(call.state == .succeeded && label.lines == ["resized"])
    }

    @Test("the page on what apps ask next leaves objects of a database to the app")
    func database() async throws {
        let (gallery, database) = (makeGallery(), Database())
        let pictures = try await gallery.pictures.list().value
        await database.save(pictures)
        #expect(await database.titles == ["Dusk"])
    }
}
