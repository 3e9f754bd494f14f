#if Observability
    public import Logging
    public import TelexRuntime

    /// Writes what happens to calls into a log of swift-log, each event with its facts as metadata.
    ///
    /// - `error`: a call failed, or there is no new credential.
    /// - `notice`: what may explain a failure later: an exchange broke off, a call is sent again, is
    ///   not sent again, waits for a credential, was started too soon, a host wants to be left alone.
    /// - `info`: a new credential is being got; a call was given up or cancelled, or made way for a
    ///   later one.
    /// - `debug`: everything else, the traffic among it.
    ///
    /// The module is empty unless the package's trait `Observability` is on.
    public struct LogListener: APIEventListener {
        private let logger: Logger

        /// Makes a listener.
        ///
        /// - Parameter logger: Where to write; by default, a new logger with the label `telex`.
        public init(_ logger: Logger = Logger(label: "telex")) {
            self.logger = logger
        }

        /// Writes an event, unless the logger does not want its level.
        public func handle(_ event: APIEvent) {
            logger.log(
                level: Self.level(event.kind), "\(event.description)",
                metadata: Self.metadata(event))
        }

        private static func level(_ kind: APIEvent.Kind) -> Logger.Level {
            switch kind {
            case .failed(let error): level(error.reason)
            case .refreshFailed: .error
            case .disconnected, .retrying, .notRetried, .postponed, .throttled, .hostPaused:
                .notice
            case .refreshStarted, .refreshEnded, .cancelled, .abandoned: .info
            case .started, .queued, .suspended, .resumed, .sending, .redirected, .received,
                .succeeded:
                .debug
            }
        }

        /// What the throttle of a method keeps from being sent is no failure of anything.
        private static func level(_ reason: APIError.Reason) -> Logger.Level {
            switch reason {
            case .replaced: .info
            case .throttled: .notice
            default: .error
            }
        }

        private static func metadata(_ event: APIEvent) -> Logger.Metadata {
            var metadata: Logger.Metadata = ["telex.api": "\(event.api)"]
            if !event.method.isEmpty { metadata["telex.method"] = "\(event.method)" }
            if let operation = event.operation { metadata["telex.operation"] = "\(operation)" }
            if event.attempt > 0 { metadata["telex.attempt"] = "\(event.attempt)" }
            if let owner = event.owner { metadata["telex.owner"] = "\(owner)" }
            if !event.tags.isEmpty {
                metadata["telex.tags"] = .array(event.tags.sorted().map { "\($0)" })
            }
            for (key, value) in HTTPAttributes(event.kind).texts { metadata[key] = "\(value)" }
            return metadata
        }
    }
#endif
