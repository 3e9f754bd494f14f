#if Observability
    import HTTPTypes
    import TelexJSON
    public import TelexRuntime
    public import Tracing

    /// Traces calls with swift-distributed-tracing: a span for each operation and a child span for
    /// each request, named and described according to OpenTelemetry's conventions for HTTP clients.
    ///
    /// The type is a listener and an interceptor. As an interceptor, it also adds the trace context
    /// to the request in the format of the tracer's instrument (`traceparent` and similar fields),
    /// so that the server's spans become part of the trace:
    ///
    /// ```swift
    /// let tracing = TracingListener()
    /// let vk = APIManager<VK>(transport: .urlSession) {
    ///     $0.interceptors = [tracing]
    ///     $0.listeners = [tracing]
    /// }
    /// ```
    ///
    /// The parent of an operation's span is the span of the task that starts the operation. For
    /// operations started in the body of a group, it is the group's span, unless the body has a
    /// span of its own. A coalesced request has no parent and starts a trace; a token request
    /// belongs to the span of the task that sends it, if there is one. The module is empty unless
    /// the package trait `Observability` is enabled.
    public final class TracingListener: APIEventListener, StartListener, Interceptor {
        private struct Operation {
            let span: any Span
            /// The number of requests so far.
            var exchanges = 0
        }

        /// The key of an attempt. Most attempts have one request in flight at a time, but an
        /// interceptor may send others while it holds the reply to the first.
        private struct Key: Hashable {
            /// `nil` for token requests, which belong to no operation.
            let operation: OperationID?
            let attempt: Int
        }

        private struct ExchangeSpan {
            let number: Int
            let span: any Span
            /// The request as the transport received it; `nil` until then. Its end will be
            /// reported.
            var request: RequestRecord?
        }

        private struct State {
            /// The contexts of the tasks that are about to start operations.
            var starters: [OperationID: ServiceContext] = [:]
            var operations: [OperationID: Operation] = [:]
            /// The requests in flight, in the order in which they began.
            var exchanges: [Key: [ExchangeSpan]] = [:]
            /// The number of requests so far.
            var count = 0

            /// Removes and returns the first matching request of an attempt.
            mutating func take(_ key: Key, where isMeant: (ExchangeSpan) -> Bool) -> ExchangeSpan? {
                guard let index = exchanges[key]?.firstIndex(where: isMeant) else { return nil }
                defer { if exchanges[key]?.isEmpty == true { exchanges[key] = nil } }
                return exchanges[key]?.remove(at: index)
            }
        }

        private let tracer: any Tracer
        private let state = Lock(State())

        /// Makes a listener.
        ///
        /// - Parameter tracer: The tracer; by default, that of the app's `InstrumentationSystem`.
        public init(_ tracer: any Tracer = InstrumentationSystem.tracer) {
            self.tracer = tracer
        }

        // MARK: Events

        package func willStart(_ operation: OperationID, in group: OperationID?) {
            let context = ServiceContext.current
            state.withLock { state in
                let outer = group.flatMap { state.operations[$0]?.span.context }
                state.starters[operation] = context ?? outer
            }
        }

        /// Starts, describes and ends spans.
        public func handle(_ event: APIEvent) {
            let key = Key(operation: event.operation, attempt: event.attempt)
            switch event.kind {
            case .sending(let request):
                sent(key, request: request, kind: event.kind, isShared: event.isShared)
            case .received(let exchange), .disconnected(let exchange):
                endExchange(key, request: exchange.request, kind: event.kind)
            default:
                if let id = event.operation { handle(event, of: id, key: key) }
            }
        }

        /// Starts, describes and ends the span of an operation.
        private func handle(_ event: APIEvent, of id: OperationID, key: Key) {
            switch event.kind {
            case .started: begin(event, id)
            case .succeeded: end(id, key: key)
            case .failed(let error): end(id, key: key, kind: event.kind, problem: error.description)
            case .cancelled, .abandoned:
                end(id, key: key, kind: event.kind, problem: event.description)
            case .sending, .received, .disconnected: break
            case .drifted, .queued, .suspended, .resumed, .postponed, .retrying, .notRetried,
                .throttled, .hostPaused, .redirected, .fromCache, .refreshStarted, .refreshEnded,
                .refreshFailed:
                note(event, id)
            }
        }

        private func begin(_ event: APIEvent, _ id: OperationID) {
            let context = state.withLock { $0.starters.removeValue(forKey: id) }
            let span = tracer.startAnySpan(
                event.method, context: context ?? .topLevel, ofKind: .internal)
            span.attributes["telex.api"] = event.api
            span.attributes["telex.method"] = event.method
            span.attributes["telex.operation"] = "\(id)"
            state.withLock { $0.operations[id] = Operation(span: span) }
        }

        /// Adds an event to the operation's span.
        private func note(_ event: APIEvent, _ id: OperationID) {
            guard let span = state.withLock({ $0.operations[id]?.span }) else { return }
            span.addEvent(SpanEvent(name: event.description))
        }

        private func end(
            _ id: OperationID, key: Key, kind: APIEvent.Kind? = nil, problem: String? = nil
        ) {
            let (operation, exchanges) = state.withLock { state in
                // An operation that is cancelled before its start has only a starter.
                state.starters[id] = nil
                return (
                    state.operations.removeValue(forKey: id),
                    state.exchanges.removeValue(forKey: key)
                )
            }
            for exchange in exchanges ?? [] { exchange.span.end() }
            guard let operation else { return }
            operation.span.attributes["telex.exchanges"] = operation.exchanges
            if let kind, let problem {
                operation.span.describe(kind)
                operation.span.setStatus(SpanStatus(code: .error, message: problem))
            }
            operation.span.end()
        }

        // MARK: Requests

        /// Starts the span of a request. A token request is reported by the task that sends it, so
        /// its parent is that task's span.
        ///
        /// - Returns: The span; `nil` if the operation has ended.
        private func beginExchange(_ key: Key, isShared: Bool) -> ExchangeSpan? {
            let id = key.operation
            let isAlone = isShared || id == nil
            let operation = id.flatMap { id in state.withLock { $0.operations[id] } }
            guard isAlone || operation != nil else { return nil }
            let own = id == nil ? ServiceContext.current : nil
            let span = tracer.startAnySpan(
                "HTTP", context: operation?.span.context ?? own ?? .topLevel, ofKind: .client)
            if let count = operation?.exchanges, count > 0 {
                span.attributes["http.request.resend_count"] = count
            }
            let kept = state.withLock { state -> ExchangeSpan? in
                guard isAlone || id.map({ state.operations[$0] != nil }) == true else { return nil }
                state.count += 1
                let exchange = ExchangeSpan(number: state.count, span: span)
                state.exchanges[key, default: []].append(exchange)
                if let id { state.operations[id]?.exchanges += 1 }
                return exchange
            }
            if kept == nil { span.end() }
            return kept
        }

        /// Records that the transport has received a request. Its span exists already if this
        /// object is an interceptor of the call.
        private func sent(
            _ key: Key, request: RequestRecord, kind: APIEvent.Kind, isShared: Bool
        ) {
            let begun = state.withLock { state in
                state.exchanges[key]?.last { $0.request == nil }
            }
            guard let exchange = begun ?? beginExchange(key, isShared: isShared) else { return }
            exchange.span.describe(kind)
            state.withLock { state in
                let index = state.exchanges[key]?.firstIndex { $0.number == exchange.number }
                if let index { state.exchanges[key]?[index].request = request }
            }
        }

        private func endExchange(_ key: Key, request: RequestRecord, kind: APIEvent.Kind) {
            let exchange = state.withLock { $0.take(key) { $0.request == request } }
            guard let span = exchange?.span else { return }
            span.describe(kind)
            if HTTPAttributes(kind).texts["error.type"] != nil {
                span.setStatus(SpanStatus(code: .error))
            }
            span.end()
        }

        /// Ends the span of a request that did not reach the transport because another interceptor
        /// ended it.
        ///
        /// - Parameter isFailure: Whether the interceptor ended it with an error.
        private func endUnsent(_ key: Key, number: Int, isFailure: Bool) {
            let span = state.withLock { state in
                state.take(key) { $0.number == number && $0.request == nil }?.span
            }
            if isFailure { span?.setStatus(SpanStatus(code: .error)) }
            span?.end()
        }

        /// Adds the trace context to the header fields of the request.
        ///
        /// - Throws: The errors of `next`.
        public func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            guard let id = call.operation else { return try await next(request) }
            let key = Key(operation: id, attempt: call.attempt)
            guard let exchange = beginExchange(key, isShared: call.isShared) else {
                return try await next(request)
            }
            let span = exchange.span
            span.operationName = request.head.method.rawValue
            var request = request
            tracer.inject(
                span.context, into: &request.head.headerFields, using: FieldInjector())
            var isFailure = true
            defer { endUnsent(key, number: exchange.number, isFailure: isFailure) }
            let reply = try await next(request)
            isFailure = false
            return reply
        }
    }

    /// Writes header fields. An invalid field is omitted (W3C Recommendation Trace Context, section
    /// 2), because tracing must not break a call.
    private struct FieldInjector: Injector {
        func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
            guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
            fields[name] = value
        }
    }

    extension Span {
        /// Sets the OpenTelemetry attributes of an event.
        fileprivate func describe(_ kind: APIEvent.Kind) {
            let attributes = HTTPAttributes(kind)
            for (name, text) in attributes.texts where attributes.numbers[name] == nil {
                self.attributes[name] = text
            }
            for (name, number) in attributes.numbers { self.attributes[name] = number }
            if let method = attributes.texts["http.request.method"] { operationName = method }
        }
    }
#endif
