import Foundation
import TelexTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The memory that Foundation itself never gives back. On Linux, `URLSession` takes the address of
/// each request apart and forgets to free the parts: 150 bytes or so, which a soak must not take for
/// something that Telex has left over.
enum FoundationLoss {
    private static let requests = 5_000

    /// Bytes that a request costs for good, with a bare session of Foundation's.
    static func perRequest() async throws -> Int {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        // What is made once has been made after the first time.
        try await send(with: session)
        let before = Memory.allocated
        try await send(with: session)
        return max(0, Memory.allocated - before) / requests
    }

    /// The server keeps what it is asked, so it is gone at the end.
    private static func send(with session: URLSession) async throws {
        let server = try LoopbackServer { _ in .text("{}") }
        defer { server.stop() }
        guard let address = URL(string: "http://\(server.authority)/user/1") else {
            throw URLError(.badURL)
        }
        for _ in 0..<requests { _ = try await session.data(from: address) }
    }
}
