#if Observability
    public import CoreMetrics
    import Synchronization
    public import TelexRuntime

    /// Counts and times calls with swift-metrics.
    ///
    /// | label | what |
    /// |--|--|
    /// | `telex.operations` | counter of operations that ended, by `method`, `outcome`, `error.type` |
    /// | `telex.operations.active` | meter of operations that were started and have not ended |
    /// | `telex.operation.duration` | timer from the start of an operation to its end |
    /// | `telex.retries` | counter of attempts that are followed by another, by `method` |
    /// | `telex.refreshes` | counter of attempts to get a new credential, by `outcome` |
    /// | `telex.exchanges` | counter of requests and their replies, by `method`, `status`, `outcome` |
    /// | `telex.exchange.queued`, `.send`, `.wait`, `.receive`, `.duration` | timers of its phases |
    ///
    /// The `outcome` of an operation is `succeeded`, `failed`, `cancelled` or `abandoned`; or `throttled`
    /// or `replaced` if the throttle of its method kept it from being sent.
    /// All of them have the dimension `api`. None has one whose values a server or a user
    /// chooses, but for statuses, which are numbers of three digits. The `method` of a group is the name
    /// that the app gives it, which therefore should hold nothing that varies.
    /// The module is empty unless the package's trait `Observability` is on.
    public final class MetricsListener: APIEventListener {
        private let factory: any MetricsFactory
        /// When the operations that are active were started.
        private let starts = Mutex<[OperationID: Duration]>([:])
        /// One for each API. Not made anew for each event: those of some factories count by themselves.
        private let meters = Mutex<[String: Meter]>([:])

        /// Makes a listener.
        ///
        /// - Parameter factory: Where the numbers go; by default, where the app has told
        ///   `MetricsSystem`.
        public init(_ factory: any MetricsFactory = MetricsSystem.factory) {
            self.factory = factory
        }

        /// Counts an event.
        public func handle(_ event: APIEvent) {
            let api = [("api", event.api)]
            let method = api + [("method", event.method)]
            switch event.kind {
            case .started: started(event)
            case .succeeded: ended(event, "succeeded")
            case .failed(let error): ended(event, Self.outcome(error.reason), error.errorType)
            case .cancelled: ended(event, "cancelled")
            case .abandoned: ended(event, "abandoned")
            case .retrying: count("telex.retries", method)
            case .refreshEnded: count("telex.refreshes", api + [("outcome", "succeeded")])
            case .refreshFailed: count("telex.refreshes", api + [("outcome", "failed")])
            case .received(let exchange), .disconnected(let exchange): measure(exchange, method)
            case .queued, .suspended, .resumed, .postponed, .notRetried, .throttled, .hostPaused,
                .sending, .redirected, .refreshStarted:
                break
            }
        }

        // MARK: Operations

        private func started(_ event: APIEvent) {
            guard let operation = event.operation else { return }
            starts.withLock { $0[operation] = event.elapsed }
            active(event.api).increment()
        }

        private func ended(_ event: APIEvent, _ outcome: String, _ errorType: String = "") {
            let start = event.operation.flatMap { operation in
                starts.withLock { $0.removeValue(forKey: operation) }
            }
            let dimensions = [
                ("api", event.api), ("method", event.method), ("outcome", outcome),
            ]
            count("telex.operations", dimensions + [("error.type", errorType)])
            guard let start else { return }
            active(event.api).decrement()
            time("telex.operation.duration", event.elapsed - start, dimensions)
        }

        /// What the throttle of a method keeps from being sent is no failure of anything.
        private static func outcome(_ reason: APIError.Reason) -> String {
            switch reason {
            case .replaced: "replaced"
            case .throttled: "throttled"
            default: "failed"
            }
        }

        /// Counted up and down, so that several managers and listeners add up.
        private func active(_ api: String) -> Meter {
            meters.withLock { meters in
                let meter =
                    meters[api]
                    ?? Meter(
                        label: "telex.operations.active", dimensions: [("api", api)],
                        factory: factory)
                meters[api] = meter
                return meter
            }
        }

        // MARK: Exchanges

        private func measure(_ exchange: ExchangeRecord, _ method: [(String, String)]) {
            let status = exchange.reply.map { "\($0.status)" } ?? ""
            let outcome = exchange.failure?.kind.errorType ?? "received"
            count("telex.exchanges", method + [("status", status), ("outcome", outcome)])
            let times = exchange.timings
            let sent = times.sent ?? .zero
            time("telex.exchange.duration", times.lastByte, method)
            if times.queued > .zero { time("telex.exchange.queued", times.queued, method) }
            if times.sent != nil { time("telex.exchange.send", sent, method) }
            guard let first = times.firstByte else { return }
            time("telex.exchange.wait", max(.zero, first - sent), method)
            time("telex.exchange.receive", times.lastByte - first, method)
        }

        private func count(_ label: String, _ dimensions: [(String, String)]) {
            Counter(label: label, dimensions: dimensions, factory: factory).increment()
        }

        private func time(_ label: String, _ time: Duration, _ dimensions: [(String, String)]) {
            let (seconds, rest) = time.components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            Timer(label: label, dimensions: dimensions, factory: factory)
                .recordNanoseconds(overflow ? .max : whole + rest / 1_000_000_000)
        }
    }
#endif
