import Testing

@testable import TelexTesting

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A client that sends any text over a socket, and closes the socket when it is released.
final class RawClient {
    private let socket: Socket

    init(port: Int) throws {
        socket = try Socket.bound(listens: false).socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                connect(socket.descriptor, general, size)
            }
        }
        try #require(result == 0)
    }

    deinit { socket.close() }

    func send(_ text: String) { #expect(socket.send(Array(text.utf8))) }

    /// Ends the connection before the release.
    func leave() { socket.shutDown() }

    /// Makes the release reset the connection.
    func resetAtEnd() { socket.resetOnClose() }

    /// Everything received until the server closes the connection.
    func receiveAll() -> String {
        var bytes: [UInt8] = []
        while true {
            let more = socket.receive()
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more
        }
    }
}
