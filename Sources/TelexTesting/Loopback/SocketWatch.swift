import Dispatch

/// Tells that something has come on a socket, be it bytes or the end of the connection, while the
/// thread that serves it waits for something else. Belongs to that thread.
final class SocketWatch {
    private let source: any DispatchSourceRead
    private let hasStopped = DispatchSemaphore(value: 0)
    private var isOver = false

    /// - Parameter tell: Called on some thread, and again for as long as what has come is not read.
    init(_ socket: Socket, _ tell: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeReadSource(
            fileDescriptor: socket.descriptor, queue: DispatchQueue(label: "telex loopback"))
        source.setEventHandler(handler: tell)
        source.setCancelHandler { [hasStopped] in hasStopped.signal() }
        source.activate()
    }

    /// Stops watching; when it returns, the socket may be closed. Does nothing the second time.
    func end() {
        guard !isOver else { return }
        isOver = true
        source.cancel()
        hasStopped.wait()
    }
}
