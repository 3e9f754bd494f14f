import Foundation
import GalleryClient
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page on caching")
struct CachingPageTests {
    private let label = Display()
    private let store = MemoryCredentialStore()

    /// A server whose list has one version.
    private let transport = InMemoryTransport { request in
        request.head.headerFields[.ifNoneMatch] == #""1""#
            ? .bytes(status: .notModified)
            : .json(#"[{"id": 7, "title": "Dusk"}]"#, fields: [.eTag: #""1""#])
    }

    @Test("the page on caching tells where a reply comes from, also after a restart of the app")
    func sources() async throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await APIManager<Gallery>(transport: transport, credentials: store)
            .logIn(Credential(token: "t0k3n"))
        try await show(folder)
        try await show(folder)
        #expect(
            label.lines == ["network", "cache", "revalidated", "cache", "cache", "revalidated"])
        #expect(transport.requests.count == 3)
    }

    /// What the app does between two starts.
    private func show(_ folder: String) async throws {
        let cache = HTTPCache(memory: .megabytes(20), disk: .folder(folder, limit: .megabytes(50)))
        let gallery = APIManager<Gallery>(transport: transport, credentials: store) {
            $0.cache = cache
        }

        let response = try await gallery.pictures.popular().response
        label.show(response.source)

        let again = try await gallery.pictures.popular().response
        label.show(again.source)
        let options = CallOptions(cache: .validate)
        label.show(try await gallery.pictures.popular(options: options).response.source)
    }
}
