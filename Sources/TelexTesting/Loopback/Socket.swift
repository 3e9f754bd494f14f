#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A call of the operating system failed.
public struct LoopbackError: Error, Sendable, CustomStringConvertible {
    /// Which call, and what the system said.
    public let description: String

    init(_ call: String) {
        description = "\(call): \(strerror(errno).map { String(cString: $0) } ?? "error \(errno)")"
    }
}

/// The few calls of the socket interface that the server needs. Whoever makes a socket closes it.
struct Socket: Sendable {
    let descriptor: Int32

    /// A TCP socket on 127.0.0.1 with a port that the system chose; it listens only if asked to.
    static func bound(listens: Bool) throws(LoopbackError) -> (socket: Socket, port: Int) {
        let socket = Socket(descriptor: newDescriptor())
        guard socket.descriptor >= 0 else { throw LoopbackError("socket") }
        socket.refuseSignals()
        keepToThisProcess(socket.descriptor)
        do throws(LoopbackError) {
            let port = try socket.bind()
            if listens, listen(socket.descriptor, 1024) != 0 { throw LoopbackError("listen") }
            return (socket, port)
        } catch {
            socket.close()
            throw error
        }
    }

    private static func newDescriptor() -> Int32 {
        #if canImport(Glibc)
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private func bind() throws(LoopbackError) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                systemBind(descriptor, general, size) == 0
                    && getsockname(descriptor, general, &size) == 0
            }
        }
        guard result else { throw LoopbackError("bind") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits for a connection; `nil` once `pipe` has been woken or the listener is broken.
    func accept(unless pipe: WakePipe) -> Socket? {
        while waitForNews(unless: pipe) {
            let client = systemAccept(descriptor, nil, nil)
            guard client >= 0 else {
                switch errno {
                case EINTR, ECONNABORTED, EAGAIN: continue
                // The client waits until somebody closes something, and so does this.
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    pipe.waitUntilWoken(atMost: 10)
                    continue
                default: return nil
                }
            }
            return Socket(descriptor: client).prepared()
        }
        return nil
    }

    /// Waits until something has come, be it a connection, bytes or the end. Not with a source of
    /// Dispatch: that of swift-corelibs-libdispatch traps now and then when a connection is reset.
    ///
    /// - Returns: `false` once `pipe` has been woken, or if the system has no memory to wait with.
    func waitForNews(unless pipe: WakePipe) -> Bool {
        var polled = [pipe.polled, pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        while poll(&polled, 2, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return polled[0].revents == 0
    }

    /// Small pieces are sent at once, and a client that is gone is an error and not a signal.
    private func prepared() -> Socket {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, 1 as Int32)
        refuseSignals()
        keepToThisProcess(descriptor)
        return self
    }

    /// A peer that is gone would end the process. Elsewhere each `send` says that it must not.
    private func refuseSignals() {
        #if canImport(Darwin)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1 as Int32)
        #endif
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(
                descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    /// Waits for bytes; none once the peer has closed or broken the connection.
    func receive(atMost size: Int = 65_536) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var result = -1
            repeat {
                result = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
    }

    /// Whether the peer has closed or broken the connection, and nothing it sent is left to read.
    /// Takes no bytes and does not wait.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        var result = -1
        repeat {
            result = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        } while result < 0 && errno == EINTR
        return result == 0 || result < 0 && errno != EAGAIN && errno != EWOULDBLOCK
    }

    /// Sends all bytes; `false` if the peer is gone.
    func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return bytes.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let result = systemSend(descriptor, rest.baseAddress, rest.count, flags)
                if result < 0 && errno == EINTR { continue }
                guard result > 0 else { return false }
                sent += result
            }
            return true
        }
    }

    /// Ends both directions: whoever waits in `receive` or `send` returns.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Tells the peer that nothing more is sent; what it sends can still be read.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Has `close` break the connection off instead of ending it.
    func resetOnClose() { set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }

    func close() { _ = systemClose(descriptor) }
}

// The system's functions that share a name with a method above.
private func systemBind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t)
    -> Int32
{ bind(socket, address, size) }

private func systemAccept(
    _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?,
    _ size: UnsafeMutablePointer<socklen_t>?
) -> Int32 { accept(socket, address, size) }

private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32)
    -> Int
{ send(socket, bytes, count, flags) }

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

/// A pipe that wakes a thread, which may wait for a socket at the same time. A reference, since who
/// wakes may be later than who waits: the pipe is there until both are done with it.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws(LoopbackError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError("pipe") }
        reading = ends[0]
        writing = ends[1]
        for end in ends { keepToThisProcess(end) }
    }

    deinit {
        _ = systemClose(reading)
        _ = systemClose(writing)
    }

    /// What to ask the system for.
    fileprivate var polled: pollfd { pollfd(fd: reading, events: Int16(POLLIN), revents: 0) }

    /// Blocks until `wake` has been called, or for so many milliseconds.
    func waitUntilWoken(atMost milliseconds: Int32 = -1) {
        var polled = [polled]
        while poll(&polled, 1, milliseconds) < 0 && errno == EINTR {}
    }

    /// Wakes whoever waits and will wait.
    func wake() { _ = write(writing, [0], 1) }
}

/// A process that is started meanwhile would hold it open: closed here, it would not be closed.
private func keepToThisProcess(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
