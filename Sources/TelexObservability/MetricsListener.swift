#if Observability
    public import CoreMetrics
    import TelexJSON
    public import TelexRuntime

    /// Records metrics of calls with swift-metrics.
    ///
    /// | label | metric |
    /// |--|--|
    /// | `telex.operations` | counter of ended operations, by `method`, `outcome`, `error.type` |
    /// | `telex.operations.active` | meter of operations in progress |
    /// | `telex.operation.duration` | timer from the start of an operation to its end |
    /// | `telex.retries` | counter of attempts that are retried, by `method` |
    /// | `telex.refreshes` | counter of credential refreshes, by `outcome` |
    /// | `telex.exchanges` | counter of exchanges, by `method`, `status`, `outcome` |
    /// | `telex.exchange.queued`, `.send`, `.wait`, `.receive`, `.duration` | timers of phases |
    ///
    /// The `outcome` of an operation is `succeeded`, `failed`, `cancelled` or `abandoned`, or, if
    /// the method's throttle stopped it, `throttled` or `replaced`. All metrics have the dimension
    /// `api`. Except for three-digit status codes, no dimension has values that a server or a user
    /// chooses. The `method` of a group is the name that the app gives it, so that name should not
    /// contain variable parts. The module is empty unless the package trait `Observability` is
    /// enabled.
    public final class MetricsListener: APIEventListener {
        private let factory: any MetricsFactory
        /// The start times of the active operations.
        private let starts = Lock<[OperationID: Duration]>([:])
        /// The meters by API. They are kept, because the meters of some factories hold the count
        /// themselves.
        private let meters = Lock<[String: Meter]>([:])

        /// Makes a listener.
        ///
        /// - Parameter factory: The factory of the metrics; by default, that of the app's
        ///   `MetricsSystem`.
        public init(_ factory: any MetricsFactory = MetricsSystem.factory) {
            self.factory = factory
        }

        /// Records an event.
        public func handle(_ event: APIEvent) {
            let api = [("api", event.api)]
            let method = api + [("method", event.method)]
            switch event.kind {
            case .started: started(event)
            case .succeeded: ended(event, outcome: "succeeded")
            case .failed(let error):
                ended(event, outcome: Self.outcome(error.reason), errorType: error.errorType)
            case .cancelled: ended(event, outcome: "cancelled")
            case .abandoned: ended(event, outcome: "abandoned")
            case .retrying: count("telex.retries", method)
            case .refreshEnded: count("telex.refreshes", api + [("outcome", "succeeded")])
            case .refreshFailed: count("telex.refreshes", api + [("outcome", "failed")])
            case .received(let exchange), .disconnected(let exchange): measure(exchange, method)
            case .drifted, .queued, .suspended, .resumed, .postponed, .notRetried, .throttled,
                .hostPaused, .fromCache,
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

        private func ended(_ event: APIEvent, outcome: String, errorType: String = "") {
            let start = event.operation.flatMap { operation in
                starts.withLock { $0.removeValue(forKey: operation) }
            }
            let dimensions = [
                ("api", event.api), ("method", event.method), ("outcome", outcome),
            ]
            count("telex.operations", dimensions + [("error.type", errorType)])
            guard let start else { return }
            active(event.api).decrement()
            time("telex.operation.duration", lasting: event.elapsed - start, dimensions: dimensions)
        }

        /// A call that a throttle stopped is not a failure.
        private static func outcome(_ reason: APIError.Reason) -> String {
            switch reason {
            case .replaced: "replaced"
            case .throttled: "throttled"
            default: "failed"
            }
        }

        /// The meter is incremented and decremented, so that the counts of several managers and
        /// listeners add up.
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
            time("telex.exchange.duration", lasting: times.lastByte, dimensions: method)
            if times.queued > .zero {
                time("telex.exchange.queued", lasting: times.queued, dimensions: method)
            }
            if times.sent != nil { time("telex.exchange.send", lasting: sent, dimensions: method) }
            guard let first = times.firstByte else { return }
            time("telex.exchange.wait", lasting: max(.zero, first - sent), dimensions: method)
            time("telex.exchange.receive", lasting: times.lastByte - first, dimensions: method)
        }

        private func count(_ label: String, _ dimensions: [(String, String)]) {
            Counter(label: label, dimensions: dimensions, factory: factory).increment()
        }

        private func time(_ label: String, lasting time: Duration, dimensions: [(String, String)]) {
            let (seconds, rest) = time.components
            let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            Timer(label: label, dimensions: dimensions, factory: factory)
                .recordNanoseconds(overflow ? .max : whole + rest / 1_000_000_000)
        }
    }
#endif
