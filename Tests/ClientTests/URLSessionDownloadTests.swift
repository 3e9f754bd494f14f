import Foundation
import GalleryClient
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

@Suite("A suspended download over URLSession")
struct URLSessionDownloadTests {
    /// 32 blocks, each of a different byte.
    private let bytes = (0..<32).flatMap { [UInt8](repeating: $0, count: 1_000_000) }

    /// Sends the first bytes at once, the first half after the first gate, the rest after the
    /// second.
    private func slowed(_ reply: LoopbackReply, by gates: (Gate, Gate)) -> LoopbackReply {
        LoopbackReply(
            reply.steps.flatMap { step -> [LoopbackReply.Step] in
                guard case .send(let bytes) = step else { return [step] }
                return [
                    .send(Array(bytes.prefix(1_000))), .wait(gates.0),
                    .send(Array(bytes[1_000..<16_000_000])), .wait(gates.1),
                    .send(Array(bytes[16_000_000...])),
                ]
            })
    }

    #if canImport(FoundationNetworking)
        @Test(
            "a suspended download closes its connection, and completes the file after it is resumed"
        )
        func goesOn() async throws {
            try await withPath { path in
                let (gate, never) = (Gate(), Gate())
                let file = FileOnServer(bytes, entityTag: "\"1\"")
                let server = try LoopbackServer { request in
                    let reply = file.answer(request)
                    return request.fields[.range] == nil
                        ? slowed(reply, by: (gate, never)) : reply
                }
                defer { server.stop() }
                let gallery = APIManager<Gallery>(
                    transport: URLSessionTransport(), credentials: credentials
                ) { $0.server = .url("http://\(server.authority)/") }
                let options = CallOptions(
                    timeouts: Timeouts(silence: .noTimeout), retry: .never)
                let download = gallery.pictures.original(id: 7, to: path, options: options)
                let progress = download.progress
                download.start()
                for await step in progress where step.received >= 1_000 { break }
                download.suspend()
                gate.open()
                await server.waitUntilNoConnectionIsOpen()
                #expect(download.state == .suspended)
                download.resume()
                let done = try await download.value
                #expect(done.bytes == bytes.count)
                #expect(try Data(contentsOf: URL(filePath: path)) == Data(bytes))
                #expect(download.attempts.count == 1)
                #expect(server.requests.count == 2)
                let asked = try #require(server.requests.last?.fields[.range])
                let first = try #require(Int(asked.dropFirst("bytes=".count).dropLast()))
                #expect(first > 8_388_608 && first <= 16_000_000)
                #expect(server.requests.last?.fields[.ifRange] == "\"1\"")
            }
        }
    #endif
}
