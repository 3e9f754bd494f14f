import HTTPTypes
import TelexInspection
import TelexJSON
import TelexTransport
import TelexValues

/// Shows the calls of a debug build in the browser, while they run: sends them to `telex inspect`.
///
/// Secrets are removed before it receives an event. It never delays or fails a call: it keeps the
/// newest events, 8 MiB at most, and sends them on a connection of its own. Where no inspector
/// answers, it tries again, at most every 15 seconds.
public final class InspectorListener: APIEventListener {
    fileprivate struct State {
        var lines = BoundedQueue<[UInt8]>(count: 10_000, bytes: 8_388_608)
        /// The lines that are being sent, and the number of their request.
        var batch: [[UInt8]] = []
        var number = 0
        var isSending = false
        /// Whether the inspector has refused this listener.
        var isOver = false
        var pause = InspectorListener.pauses.lowerBound
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The size of the largest body whose text is sent, in bytes.
    public let bodyLimit: Int
    private static let pauses = Duration.seconds(1)...(.seconds(15))
    private let transport: any Transport
    private let address: Address?
    private let code: String?
    private let app: String
    private let clock: RuntimeClock
    private let faults: FaultReporter
    private let session = TransportSession("telex inspector", connectionsPerHost: 1)
    private let run = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let state = Lock(State())

    /// Makes a listener.
    ///
    /// - Parameters:
    ///   - transport: Sends the events; not as calls of an API.
    ///   - address: The address that the inspector prints; by default that on this machine, which
    ///     for a simulator is the Mac.
    ///   - pairingCode: The code that the inspector prints. Without it, nothing is sent to another
    ///     machine.
    ///   - app: The name to show; by default that of the process.
    ///   - bodyLimit: The size of the largest body whose text is sent; 64 KiB by default, 1 MiB at
    ///     most.
    ///   - clock: Measures the pauses between attempts to reach the inspector.
    ///   - onFault: Is told once why nothing is shown; by default the standard error is.
    public init(
        transport: any Transport, address: String = "http://127.0.0.1:4020",
        pairingCode: String? = nil, app: String? = nil, bodyLimit: Int = 65_536,
        clock: RuntimeClock = .system, onFault: (@Sendable (String) -> Void)? = nil
    ) {
        self.transport = transport
        self.address = Address(address)
        code = pairingCode
        self.app =
            app ?? CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "App"
        self.bodyLimit = min(max(0, bodyLimit), 1_048_576)
        self.clock = clock
        faults = FaultReporter(onFault ?? FaultReporter.standardError)
        if self.address == nil {
            stop("`\(address)` is no http address")
        } else if pairingCode == nil, self.address?.origin.isLoopback == false {
            stop("another machine needs a pairing code")
        }
    }

    /// The number of events that were dropped, because no inspector took them in time.
    public var dropped: Int { state.withLock { $0.lines.dropped } }

    /// Keeps the event for the inspector.
    public func handle(_ event: APIEvent) {
        if state.withLock({ $0.isOver }) { return }
        let line = InspectorLine.event(event)
        let starts = state.withLock { state in
            state.lines.append(line, size: line.count)
            defer { state.isSending = true }
            return !state.isSending
        }
        guard starts else { return }
        Task.detached(priority: .utility) { [weak self, clock] in
            while let pause = await self?.sendNext() {
                if pause > .zero { try? await clock.sleep(clock.elapsed() + pause) }
            }
        }
    }

    /// Returns once the inspector has all events so far, or cannot be reached: for programs that end
    /// with their last call.
    public func flush() async {
        await withCheckedContinuation { waiter in
            let waits = state.withLock { state in
                let waits = state.isSending && state.pause == Self.pauses.lowerBound
                if waits { state.waiters.append(waiter) }
                return waits
            }
            if !waits { waiter.resume() }
        }
    }

    /// Sends the next lines, or the last ones again.
    ///
    /// - Returns: The pause before those that follow; `nil` if there are none.
    private func sendNext() async -> Duration? {
        // Who waits for later events does so in the same turn of the lock, and stays.
        let (body, waiters) = state.withLock { state in
            let body = state.nextBody(of: app, run: run)
            return (body, body == nil ? state.takeWaiters() : [])
        }
        for waiter in waiters { waiter.resume() }
        guard let body else { return nil }
        switch await status(of: body) {
        case 200..<300, 413:
            state.withLock { ($0.batch, $0.pause) = ([], Self.pauses.lowerBound) }
        case 0, 500...:
            let pause = state.withLock { state in
                defer { state.pause = min(state.pause * 2, Self.pauses.upperBound) }
                return state.pause
            }
            for waiter in state.withLock({ $0.takeWaiters() }) { waiter.resume() }
            return pause
        case 401: stop("the inspector refuses the pairing code; it prints the right one")
        case let status: stop("status \(status) is of no inspector of this version")
        }
        return .zero
    }

    /// The status of the inspector's reply; 0 if it cannot be reached.
    private func status(of body: [UInt8]) async -> Int {
        guard let address else { return 0 }
        var head = HTTPRequest(
            method: .post, scheme: address.scheme, authority: address.authority,
            path: InspectorLines.path)
        head.headerFields[.contentType] = InspectorLines.mediaType
        if let code, let name = HTTPField.Name(InspectorLines.codeField) {
            head.headerFields[name] = code
        }
        let request = TransportRequest(
            head: head, body: .bytes(body), timeout: .seconds(10), session: session)
        guard let reply = try? await transport.send(request) else { return 0 }
        _ = try? await reply.body.collect(upTo: 65_536)
        return reply.head.status.code
    }

    /// Sends nothing from now on.
    private func stop(_ reason: String) {
        state.withLock { state in
            (state.isOver, state.batch) = (true, [])
            state.lines.clear()
        }
        faults.report("telex: no calls are shown at \(address?.text ?? "an inspector"): \(reason)")
    }
}

extension InspectorListener.State {
    fileprivate mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
        defer { waiters = [] }
        return waiters
    }

    /// The next body to send; `nil` if there is none.
    fileprivate mutating func nextBody(of app: String, run: String) -> [UInt8]? {
        if batch.isEmpty {
            var room = 1_048_576
            while batch.isEmpty || lines.firstSize ?? .max <= room, let line = lines.popFirst() {
                batch.append(line)
                room -= line.count
            }
            if !batch.isEmpty { number += 1 }
        }
        isSending = !batch.isEmpty
        guard isSending else { return nil }
        let head = InspectorLine.head(app: app, run: run, number: number, dropped: lines.dropped)
        return head + batch.joined()
    }
}
