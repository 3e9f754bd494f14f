import Foundation
import TelexTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures a memory leak of Foundation. On Linux, `URLSession` does not free the parsed parts of
/// each request's address, about 150 bytes. The soak must not report them as a leak of Telex.
enum FoundationLeak {
    private static let requests = 5_000

    /// The bytes that a request leaks, with a bare `URLSession`.
    static func perRequest() async throws -> Int {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        // Warms up, so that objects that are created once are not counted.
        try await send(with: session)
        let before = Memory.allocated
        try await send(with: session)
        return max(0, Memory.allocated - before) / requests
    }

    /// Sends the requests to a server that is freed at the end, because it records all requests.
    private static func send(with session: URLSession) async throws {
        let server = try LoopbackServer { _ in .text("{}") }
        defer { server.stop() }
        guard let address = URL(string: "http://\(server.authority)/user/1") else {
            throw URLError(.badURL)
        }
        for _ in 0..<requests { _ = try await session.data(from: address) }
    }
}
