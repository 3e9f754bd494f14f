import Foundation
import GalleryClient
import TelexJSON
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

@Suite("The page on transfers")
struct TransfersPageTests {
    /// Where an app on the page hangs pictures; there is room for two.
    private final class Wall: Sendable {
        private let hung = Lock<[Picture]>([])

        var pictures: [Picture] { hung.withLock { $0 } }
        var isFull: Bool { pictures.count == 2 }
        func hang(_ picture: Picture) { hung.withLock { $0.append(picture) } }
    }

    private let label = Display()
    private let bar = Display()
    private let bytes = [UInt8](repeating: 7, count: 10_000)

    @Test("the page on transfers continues a download")
    func downloads() async throws {
        try await withPath { path in
            let server = FileOnServer(bytes, entityTag: "\"1\"")
            server.cutNextReply(after: 4000)
            let gallery = makeGallery(InMemoryTransport(serving: server.answer))
            let download = gallery.pictures.original(id: 7, to: path)
            Task { for await step in download.progress { bar.show(step) } }
            let file = try await download.value
            label.show(file.bytes, file.contentType, file.suggestedName)
            #expect(label.lines == ["10000 – –"])
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
            #expect(server.bodyBytesSent == bytes.count)
        }
    }

    @Test("the page on transfers continues a download that was cancelled")
    func cancelled() async throws {
        try await withPath { path in
            let server = FileOnServer(bytes, entityTag: "\"1\"")
            server.cutNextReply(after: 4000, by: .stall)
            let gallery = makeGallery(InMemoryTransport(serving: server.answer))
            let download = gallery.pictures.original(id: 7, to: path)
            let progress = download.progress
            download.start()
            for await step in progress where step.received == 4000 { break }
            download.cancel()
            let rest = try await gallery.pictures.original(id: 7, to: path).value
            #expect(rest.bytes == bytes.count)
            #expect(server.bodyBytesSent == bytes.count)
        }
    }

    @Test("the page on transfers sends a file with the type of its extension")
    func uploads() async throws {
        try await withPath { path in
            let path = path + ".png"
            try Data(bytes).write(to: URL(filePath: path))
            let transport = InMemoryTransport { _ in .json(#"{"id": 8, "title": "Dusk"}"#) }
            let gallery = makeGallery(transport)
            let picture = UploadFile(path: path)
            let upload = gallery.pictures.add(file: picture, title: "Dusk")
            upload.onProgress { step in bar.show(step) }
            let added = try await upload.value
            #expect(added.id == 8)
            #expect(bar.lines.last?.contains("sent: ") == true)
            let body = try #require(transport.requests.first?.text)
            #expect(body.contains("image/png") && body.contains("Dusk"))
        }
    }

    @Test("the page on transfers uploads what is made on the way")
    func uploadStreams() async throws {
        let transport = InMemoryTransport { _ in .json(#"{"id": 9, "title": "Noon"}"#) }
        let gallery = makeGallery(transport)
        let scanner = Scanner(pieces: [[1, 2], [3]])
        let scan = UploadFile(
            streaming: scanner.byteCount, name: "noon.png", type: "image/png"
        ) {
            await scanner.nextBytes()
        }
        let added = try await gallery.pictures.add(file: scan, title: "Noon").value
        #expect(added.id == 9)
        #expect(transport.requests.first?.text.contains("noon.png") == true)
    }

    @Test("the page on transfers hands a download to the system")
    func background() async throws {
        try await withPath { path in
            let server = FileOnServer(bytes, entityTag: "\"1\"")
            let gallery = makeGallery(InMemoryTransport(serving: server.answer))
            let archive = try await gallery.pictures.archive(to: path).value
            #expect(archive.bytes == bytes.count)
            #expect(
                Gallery.definition.sessions == [TransportSession("transfers", isBackground: true)])
        }
    }

    @Test("the page on transfers hears of the system's transfers")
    func events() async {
        let transport = URLSessionTransport(
            background: BackgroundTransfers(identifier: "com.example.gallery"))
        let identifier = "com.example.other.0.transfers"
        let completed = Display()
        let completionHandler = { completed.show("done") }
        await transport.handleBackgroundEvents(ofSession: identifier)
        completionHandler()
        #expect(completed.lines == ["done"])
        await transport.forgetBackgroundTransfers()
    }

    @Test("the page on transfers hands out the elements of a stream")
    func streams() async throws {
        let event = Array("data: {\"id\": 7, \"title\": \"Dusk\"}\n\n".utf8)
        let gallery = makeGallery(
            InMemoryTransport { _ in .chunks([event, event, event], after: Gate()) })
        let wall = Wall()
        let stream = gallery.pictures.watch()
        for try await picture in stream.elements {
            wall.hang(picture)
            if wall.isFull { break }
        }
        stream.cancel()
        #expect(wall.pictures.map(\.id) == [7, 7])
        #expect(stream.state == .cancelled)
    }
}

/// Makes bytes while they are sent.
private actor Scanner {
    nonisolated let byteCount: Int
    private var pieces: [[UInt8]]

    init(pieces: [[UInt8]]) {
        self.pieces = pieces
        byteCount = pieces.reduce(0) { $0 + $1.count }
    }

    func nextBytes() -> [UInt8]? { pieces.isEmpty ? nil : pieces.removeFirst() }
}
