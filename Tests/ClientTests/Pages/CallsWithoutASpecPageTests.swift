import Foundation
import GalleryClient
import TelexFoundation
import TelexRuntime
import TelexTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The page on calls without a spec")
struct CallsWithoutASpecPageTests {
    private let transport = InMemoryTransport { _ in .json(#"{"id": 7, "title": "Dusk"}"#) }
    private let link = "https://api.gallery.example/v1/pictures/7"

    @Test("the page on calls without a spec gets a model, a file and bytes")
    func values() async throws {
        try await withPath { path in
            let gallery = makeGallery(transport)
            let picture = try await gallery.operation(address: link, returning: Picture.self) {
                $0.query("size", 2)
            }.value
            let file = try await gallery.operation(address: link, to: path).value
            let bytes = try await gallery.operation(address: link).value
            #expect(picture.title == "Dusk" && file.bytes == bytes.count)
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        }
    }

    @Test("the page on calls without a spec takes names that are known only at run time")
    func names() async throws {
        let gallery = makeGallery(transport)
        let filter: Properties = ["painter": "Ann", "sizes": [1, 2], "near": ["lat": 1.5]]
        let found = gallery.operation(address: link) { $0.query(filter) }
        let sent = gallery.operation(.post, address: link) { $0.form(filter) }
        let saved = gallery.operation(.put, address: link) { $0.json(filter) }
        for call in [found, sent, saved] { _ = try await call.value }
        let items = "near%5Blat%5D=1.5&painter=Ann&sizes=1&sizes=2"
        #expect(transport.requests[0].head.path == "/v1/pictures/7?\(items)")
        #expect(transport.requests[1].text == items)
        #expect(
            transport.requests[2].text == #"{"near":{"lat":1.5},"painter":"Ann","sizes":[1,2]}"#)
    }

    @Test("the page on calls without a spec sends a URLRequest")
    func urlRequest() async throws {
        let gallery = makeGallery(transport)
        let address = try #require(URL(string: link))
        var request = URLRequest(url: address)
        request.setValue("image/*", forHTTPHeaderField: "Accept")
        let data = try await gallery.operation(request).value
        #expect(data.count == 26)
        #expect(transport.requests.first?.head.headerFields[.accept] == "image/*")
    }
}
