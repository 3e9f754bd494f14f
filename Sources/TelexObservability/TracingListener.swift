#if Observability
    import HTTPTypes
    import Synchronization
    public import TelexRuntime
    public import Tracing

    /// Traces calls with swift-distributed-tracing: a span for each operation, in it one for each
    /// request, named and described as OpenTelemetry does it for HTTP clients.
    ///
    /// It is a listener and an interceptor. As an interceptor it also puts the context of the trace
    /// into the request, as the tracer's instrument writes it (`traceparent` and the like), so that
    /// the server's spans become part of the trace:
    ///
    /// ```swift
    /// let tracing = TracingListener()
    /// let vk = APIManager<VK>(
    ///     transport: .urlSession, interceptors: [tracing], listeners: [tracing])
    /// ```
    ///
    /// An operation's span belongs to the span of the task that starts it. The module is empty unless
    /// the package's trait `Observability` is on.
    public final class TracingListener: APIEventListener, Interceptor {
        private struct Trace {
            let operation: any Span
            /// The request that is on its way.
            var exchange: (any Span)?
            /// How many requests there have been.
            var exchanges = 0
        }

        private let tracer: any Tracer
        private let traces = Mutex<[OperationID: Trace]>([:])

        /// Makes a listener.
        ///
        /// - Parameter tracer: What makes spans; by default, what the app has told
        ///   `InstrumentationSystem`.
        public init(_ tracer: any Tracer = InstrumentationSystem.tracer) {
            self.tracer = tracer
        }

        // MARK: Events

        /// Begins, describes and ends spans.
        public func handle(_ event: APIEvent) {
            guard let id = event.operation else { return }
            switch event.kind {
            case .started: begin(event, id)
            case .sending: exchange(of: id).map { $0.describe(event.kind) }
            case .received, .disconnected: endExchange(of: id, event.kind)
            case .succeeded: end(id)
            case .failed(let error): end(id, event.kind, error.description)
            case .cancelled, .abandoned: end(id, event.kind, event.description)
            case .queued, .suspended, .resumed, .postponed, .retrying, .notRetried, .throttled,
                .redirected, .refreshStarted, .refreshEnded, .refreshFailed:
                note(event, id)
            }
        }

        private func begin(_ event: APIEvent, _ id: OperationID) {
            let span = tracer.startAnySpan(event.method, ofKind: .internal)
            span.attributes["telex.api"] = event.api
            span.attributes["telex.method"] = event.method
            span.attributes["telex.operation"] = "\(id)"
            traces.withLock { $0[id] = Trace(operation: span) }
        }

        /// What happens between requests becomes an event of the operation's span.
        private func note(_ event: APIEvent, _ id: OperationID) {
            guard let span = traces.withLock({ $0[id]?.operation }) else { return }
            span.addEvent(SpanEvent(name: event.description))
        }

        private func end(_ id: OperationID, _ kind: APIEvent.Kind? = nil, _ problem: String? = nil)
        {
            guard let trace = traces.withLock({ $0.removeValue(forKey: id) }) else { return }
            trace.exchange?.end()
            trace.operation.attributes["telex.exchanges"] = trace.exchanges
            if let kind, let problem {
                trace.operation.describe(kind)
                trace.operation.setStatus(SpanStatus(code: .error, message: problem))
            }
            trace.operation.end()
        }

        // MARK: Requests

        /// The span of the request that is on its way; begins it if the interceptor has not.
        private func exchange(of id: OperationID) -> (any Span)? {
            guard let trace = traces.withLock({ $0[id] }) else { return nil }
            if let span = trace.exchange { return span }
            let span = tracer.startAnySpan(
                "HTTP", context: trace.operation.context, ofKind: .client)
            if trace.exchanges > 0 {
                span.attributes["http.request.resend_count"] = trace.exchanges
            }
            let isKept = traces.withLock { traces in
                traces[id]?.exchange = span
                traces[id]?.exchanges += 1
                return traces[id] != nil
            }
            // The operation has ended meanwhile.
            if !isKept { span.end() }
            return isKept ? span : nil
        }

        private func endExchange(of id: OperationID, _ kind: APIEvent.Kind) {
            guard let span = takeExchange(of: id) else { return }
            span.describe(kind)
            if HTTPAttributes(kind).texts["error.type"] != nil {
                span.setStatus(SpanStatus(code: .error))
            }
            span.end()
        }

        /// Ends the span of a request that never came to the transport: another interceptor ended it.
        private func abandonExchange(of id: OperationID) {
            let span = takeExchange(of: id)
            span?.setStatus(SpanStatus(code: .error))
            span?.end()
        }

        /// The span of the request that is on its way, which is the caller's to end.
        private func takeExchange(of id: OperationID) -> (any Span)? {
            traces.withLock { traces in
                defer { traces[id]?.exchange = nil }
                return traces[id]?.exchange
            }
        }

        /// Puts the context of the trace into the header fields of the request.
        ///
        /// - Throws: What `next` throws.
        public func intercept(
            _ request: TransportRequest, of call: InterceptedCall,
            next: @Sendable (TransportRequest) async throws -> TransportReply
        ) async throws -> TransportReply {
            guard let id = call.operation, let span = exchange(of: id) else {
                return try await next(request)
            }
            span.operationName = request.head.method.rawValue
            var request = request
            tracer.inject(
                span.context, into: &request.head.headerFields, using: FieldInjector())
            do { return try await next(request) } catch {
                // What the transport threw has been told by then.
                abandonExchange(of: id)
                throw error
            }
        }
    }

    /// Writes header fields. What cannot be one is left out, as the W3C Recommendation Trace Context,
    /// section 2, would have it: a trace must not break a call.
    private struct FieldInjector: Injector {
        func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
            guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
            fields[name] = value
        }
    }

    extension Span {
        /// Sets the attributes that OpenTelemetry has for what happened.
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
