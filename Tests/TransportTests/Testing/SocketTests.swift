import Foundation
import Testing

@testable import TelexTesting

@Suite("A socket of a test server")
struct SocketTests {
    @Test("a socket of a test server is not inherited by child processes")
    func inheritance() throws {
        let (socket, _) = try Socket.bound(listens: true)
        defer { socket.close() }
        #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
}
