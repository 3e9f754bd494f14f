#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A failed system call.
public struct LoopbackError: Error, Sendable, CustomStringConvertible {
    /// The name of the call and the system's error message.
    public let description: String
    /// The number of the system's error.
    package let code: Int32

    init(_ call: String) {
        code = errno
        description = "\(call): \(strerror(errno).map { String(cString: $0) } ?? "error \(errno)")"
    }
}

/// The socket calls that the server needs. The creator of a socket must close it.
struct Socket: Sendable {
    let descriptor: Int32

    /// A TCP socket on an IPv4 address of this machine. The system chooses the port if it is 0. It
    /// listens only if `listens` is `true`.
    static func bound(
        to host: String = "127.0.0.1", port: Int = 0, listens: Bool
    ) throws(LoopbackError) -> (socket: Socket, port: Int) {
        let socket = Socket(descriptor: newDescriptor())
        guard socket.descriptor >= 0 else { throw LoopbackError("socket") }
        socket.disableSIGPIPE()
        setCloseOnExec(socket.descriptor)
        do throws(LoopbackError) {
            // A port that a server has just left can be used again.
            if port != 0 { socket.set(SOL_SOCKET, option: SO_REUSEADDR, value: 1 as Int32) }
            let port = try socket.bind(host, port)
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

    private func bind(_ host: String, _ port: Int) throws(LoopbackError) -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        guard let number = UInt16(exactly: port), inet_pton(AF_INET, host, &address.sin_addr) == 1
        else {
            errno = EADDRNOTAVAIL
            throw LoopbackError("bind")
        }
        address.sin_port = number.bigEndian
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

    /// Waits for a connection. Returns `nil` if `pipe` has been woken or the listener is broken.
    func accept(unless pipe: WakePipe) -> Socket? {
        while waitForInput(unless: pipe) {
            let client = systemAccept(descriptor, nil, nil)
            guard client >= 0 else {
                switch errno {
                case EINTR, ECONNABORTED, EAGAIN: continue
                // Out of descriptors or memory: retry until something is closed. The client waits.
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

    /// Waits for a connection, bytes or the end. It uses `poll` and not a Dispatch source, because
    /// those of swift-corelibs-libdispatch sometimes trap when a connection is reset.
    ///
    /// - Returns: `false` if `pipe` has been woken, or if `poll` fails for lack of memory.
    func waitForInput(unless pipe: WakePipe) -> Bool {
        var polled = [pipe.polled, pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        while poll(&polled, 2, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return polled[0].revents == 0
    }

    /// Sends small writes at once, and reports a closed peer as an error instead of a signal.
    private func prepared() -> Socket {
        set(Int32(IPPROTO_TCP), option: TCP_NODELAY, value: 1 as Int32)
        disableSIGPIPE()
        setCloseOnExec(descriptor)
        return self
    }

    /// Prevents the signal for a closed peer, which would end the process. On other systems, each
    /// `send` passes a flag for this.
    private func disableSIGPIPE() {
        #if canImport(Darwin)
            set(SOL_SOCKET, option: SO_NOSIGPIPE, value: 1 as Int32)
        #endif
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, option: Int32, value: Value) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(
                descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    /// Waits for bytes. Returns an empty array once the peer has closed or reset the connection.
    func receive(atMost size: Int = 65_536) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var result = -1
            repeat {
                result = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
    }

    /// Whether the peer has closed or reset the connection and no bytes are left to read. Does not
    /// consume bytes and does not wait.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        var result = -1
        repeat {
            result = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        } while result < 0 && errno == EINTR
        return result == 0 || result < 0 && errno != EAGAIN && errno != EWOULDBLOCK
    }

    /// Sends all bytes. Returns `false` if the peer is gone.
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

    /// Shuts down both directions, so that waiting `receive` and `send` calls return.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Lets `receive` and `send` calls fail that wait longer than this.
    func endAfter(silence: Duration) {
        // No time at all would mean for ever.
        let microseconds = max(1, silence / .microseconds(1))
        var time = timeval()
        time.tv_sec = .init(microseconds / 1e6)
        time.tv_usec = .init(microseconds.truncatingRemainder(dividingBy: 1e6))
        set(SOL_SOCKET, option: SO_RCVTIMEO, value: time)
        set(SOL_SOCKET, option: SO_SNDTIMEO, value: time)
    }

    /// Closes the sending direction (FIN). Bytes from the peer can still be read.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes `close` reset the connection (RST) instead of ending it.
    func resetOnClose() {
        set(SOL_SOCKET, option: SO_LINGER, value: linger(l_onoff: 1, l_linger: 0))
    }

    func close() { _ = systemClose(descriptor) }
}

// Wrappers for system functions that share a name with a method above.
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

/// A pipe that wakes a thread, which may wait for a socket at the same time. A class, because the
/// waking thread may outlive the waiting one, so the descriptors must stay open until both are
/// finished.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws(LoopbackError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError("pipe") }
        reading = ends[0]
        writing = ends[1]
        for end in ends { setCloseOnExec(end) }
    }

    deinit {
        _ = systemClose(reading)
        _ = systemClose(writing)
    }

    /// The entry for `poll`.
    fileprivate var polled: pollfd { pollfd(fd: reading, events: Int16(POLLIN), revents: 0) }

    /// Blocks until `wake` has been called or the time has passed; -1 means no limit.
    func waitUntilWoken(atMost milliseconds: Int32 = -1) {
        var polled = [polled]
        while poll(&polled, 1, milliseconds) < 0 && errno == EINTR {}
    }

    /// Wakes all current and later waiters.
    func wake() { _ = write(writing, [0], 1) }
}

/// Prevents child processes from inheriting the descriptor. Otherwise closing it here would not
/// close the connection.
private func setCloseOnExec(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
