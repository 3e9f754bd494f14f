#if Observability
    public import Logging
    public import TelexRuntime

    /// Logs the events of calls with swift-log, with the attributes of each event as metadata.
    ///
    /// - `error`: a call failed, or a refresh failed.
    /// - `notice`: events that may explain a later failure: an exchange broke off; a call is
    ///   retried, is not retried, waits for a credential, or was throttled; a host asked for a
    ///   pause.
    /// - `info`: a refresh started or succeeded; a call was abandoned or cancelled, or was replaced
    ///   by a later one.
    /// - `debug`: all other events, including requests and replies.
    ///
    /// The module is empty unless the package trait `Observability` is enabled.
    public struct LogListener: APIEventListener {
        private let logger: Logger

        /// Makes a listener.
        ///
        /// - Parameter logger: The logger to write to; by default, a new logger with the label
        ///   `telex`.
        public init(_ logger: Logger = Logger(label: "telex")) {
            self.logger = logger
        }

        /// Logs an event.
        public func handle(_ event: APIEvent) {
            logger.log(
                level: Self.level(event.kind), "\(event.description)",
                metadata: Self.metadata(event))
        }

        private static func level(_ kind: APIEvent.Kind) -> Logger.Level {
            switch kind {
            case .failed(let error): level(error.reason)
            case .refreshFailed: .error
            case .disconnected, .retrying, .notRetried, .postponed, .throttled, .hostPaused,
                .drifted:
                .notice
            case .refreshStarted, .refreshEnded, .cancelled, .abandoned: .info
            case .started, .queued, .suspended, .resumed, .sending, .redirected, .received,
                .fromCache, .succeeded:
                .debug
            }
        }

        /// A call that a throttle stopped is not a failure.
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
