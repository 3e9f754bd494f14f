import TelexRuntime
import TelexTesting
import Testing

@Suite("A reply with a suspended reader")
struct HeldReaderTests {
    /// 32 blocks, each of a different byte.
    private static let bytes = (0..<32).flatMap { [UInt8](repeating: $0, count: 1_000_000) }
    private static let limit = 8_388_608

    private func request(
        _ server: LoopbackServer, _ limit: (@Sendable () -> Int?)? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: .init(method: .get, scheme: "http", authority: server.authority, path: "/"),
            timeout: .noTimeout, maximumReplyBytes: .max, maximumUnreadBytes: limit)
    }

    #if canImport(FoundationNetworking)
        @Test(
            "a reply with a suspended reader ends at too many unread bytes, after delivering them")
        func givenUp() async throws {
            // libcurl could receive the whole body at once, so the server withholds the rest.
            let first = Array(Self.bytes.prefix(16_000_000))
            let server = try LoopbackServer { _ in
                .stalled(first, declaring: Self.bytes.count)
            }
            defer { server.stop() }
            let reply = try await TransportKind.urlSession.makeTransport()
                .send(request(server) { Self.limit })
            await server.waitUntilNoConnectionIsOpen()
            var arrived: [UInt8] = []
            let error = await #expect(throws: TransportError.self) {
                for try await chunk in reply.body { arrived += chunk }
            }
            #expect(error == .readerHeld)
            #expect(arrived.count > Self.limit && arrived.count <= first.count)
            #expect(arrived[...] == Self.bytes.prefix(arrived.count))
        }
    #endif

    @Test(
        "a reply with a suspended reader is received whole without a limit",
        arguments: TransportKind.onSockets)
    func unbounded(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .bytes(Self.bytes) }
        defer { server.stop() }
        for limit in [nil, { nil }] as [(@Sendable () -> Int?)?] {
            let reply = try await kind.makeTransport().send(request(server, limit))
            #expect(try await reply.body.collect(upTo: .max) == Self.bytes)
        }
    }

    @Test(
        "a reply with a suspended reader is whole if only the last byte exceeds the limit",
        arguments: TransportKind.onSockets
    )
    func whole(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .bytes([1]) }
        defer { server.stop() }
        let reply = try await kind.makeTransport().send(request(server) { 0 })
        #expect(try await reply.body.collect(upTo: 1) == [1])
    }
}
