#if Observability
    import Foundation
    import HTTPTypes
    import InMemoryTracing
    import RuntimeTestSupport
    import TelexObservability
    import TelexRuntime
    import TelexTesting
    import Testing
    import Tracing

    /// Forwards events.
    private struct Holder: APIEventListener {
        let body: @Sendable (APIEvent) -> Void

        init(_ body: @escaping @Sendable (APIEvent) -> Void) { self.body = body }

        func handle(_ event: APIEvent) { body(event) }
    }

    @Suite("The listener for traces")
    struct TracingListenerTests {
        private func trace(
            _ replies: [TransportReply]
        ) async -> (spans: [FinishedInMemorySpan], tracer: InMemoryTracer, InMemoryTransport) {
            let tracer = InMemoryTracer()
            let listener = TracingListener(tracer)
            let transport = await call([listener], interceptors: [listener], replies)
            return (tracer.finishedSpans, tracer, transport)
        }

        @Test("the trace listener makes a span for an operation, and a child span for its request")
        func success() async throws {
            let (spans, tracer, transport) = await trace([.json("{}")])
            #expect(tracer.activeSpans.isEmpty)
            #expect(spans.map(\.operationName) == ["GET", "things.get"])
            let request = try #require(spans.first)
            let operation = try #require(spans.last)
            #expect(request.parentSpanID == operation.spanID)
            #expect(request.traceID == operation.traceID)
            #expect(request.kind == .client)
            #expect(request.attributes.get("http.request.method") == .string("GET"))
            #expect(request.attributes.get("server.address") == .string("toy.test"))
            #expect(request.attributes.get("server.port") == .int64(8443))
            #expect(request.attributes.get("http.response.status_code") == .int64(200))
            #expect(request.attributes.get("http.request.resend_count") == nil)
            #expect(request.status == nil)
            let sent = try #require(transport.requests.first)
            let name = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
            #expect(sent.head.headerFields[name] == request.spanID)
        }

        @Test("the listener for traces makes a root span for a token request")
        func token() async throws {
            let tracer = InMemoryTracer()
            let refresher = RequestCredentialRefresher(
                RefreshRequest("https://id.test/token"),
                transport: InMemoryTransport { _ in .tokenRefusal("invalid_grant") })
            let store: any CredentialStore = .memory(
                Credential(token: secret, refreshToken: secret))
            let manager = things(
                InMemoryTransport { _ in .bytes(status: .unauthorized) }, credentials: store,
                refresher: refresher, listeners: [TracingListener(tracer)])
            let request = RequestBuilder(TestAPI.APIMethod.get).finishRaw()
            _ = try? await manager.operation(request).value
            #expect(tracer.activeSpans.isEmpty)
            let span = try #require(tracer.finishedSpans.first { $0.operationName == "POST" })
            #expect(span.parentSpanID == nil)
            #expect(span.attributes.get("server.address") == .string("id.test"))
            #expect(span.attributes.get("http.response.status_code") == .int64(400))
            #expect(span.status?.code == .error)
        }

        @Test(
            "the trace listener makes a span for each attempt, counts attempts, and marks failures")
        func failure() async throws {
            let (spans, tracer, transport) = await trace([])
            #expect(tracer.activeSpans.isEmpty)
            #expect(spans.map(\.operationName) == ["GET", "GET", "things.get"])
            #expect(transport.requests.count == 2)
            #expect(spans[0].attributes.get("http.request.resend_count") == nil)
            #expect(spans[1].attributes.get("http.request.resend_count") == .int64(1))
            for span in spans {
                #expect(span.attributes.get("error.type") == .string("connection_lost"))
                #expect(span.status?.code == .error)
            }
            #expect(spans[2].events.map(\.name).contains { $0.hasPrefix("↻") })
            #expect(spans[2].attributes.get("telex.exchanges") == .int64(2))
        }

        @Test(
            "the trace listener ends the span of a request that another interceptor does not send")
        func intercepted() async {
            struct Breaker: Interceptor {
                func intercept(
                    _ request: TransportRequest, of call: InterceptedCall, next: Next
                ) async throws -> TransportReply {
                    throw TransportError(.connectionLost, "it broke")
                }
            }
            let tracer = InMemoryTracer()
            let listener = TracingListener(tracer)
            let transport = await call([listener], interceptors: [listener, Breaker()], [])
            #expect(transport.requests.isEmpty)
            #expect(tracer.activeSpans.isEmpty)
            let spans = tracer.finishedSpans
            #expect(spans.map(\.operationName) == ["GET", "GET", "things.get"])
            #expect(spans[1].attributes.get("http.request.resend_count") == .int64(1))
        }

        @Test("each request of an interceptor has a span, also while the interceptor holds a reply")
        func resent() async throws {
            struct Resigner: Interceptor {
                func intercept(
                    _ request: TransportRequest, of call: InterceptedCall, next: Next
                ) async throws -> TransportReply {
                    let reply = try await next(request)
                    guard reply.head.status == .unauthorized else { return reply }
                    let other = try await next(request)
                    return withExtendedLifetime(reply) { other }
                }
            }
            let tracer = InMemoryTracer()
            let listener = TracingListener(tracer)
            let transport = await call(
                [listener], interceptors: [Resigner(), listener],
                [.bytes([1, 2], status: .unauthorized), .json("{}")])
            #expect(tracer.activeSpans.isEmpty)
            let spans = tracer.finishedSpans.filter { $0.operationName == "GET" }
            let statuses = spans.map { $0.attributes.get("http.response.status_code") }
            #expect(Set(statuses.map { "\($0 as Any)" }).count == 2)
            let name = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
            let sent = transport.requests.map { $0.head.headerFields[name] }
            #expect(sent.count == 2)
            #expect(Set(sent) == Set(spans.map(\.spanID)))
            let second = try #require(spans.first { $0.spanID == sent[1] })
            #expect(second.attributes.get("http.response.status_code") == .int64(200))
            #expect(second.attributes.get("http.request.resend_count") == .int64(1))
            let operation = tracer.finishedSpans.first { $0.operationName == "things.get" }
            #expect(operation?.attributes.get("telex.exchanges") == .int64(2))
        }

        @Test(
            "the listener for traces has the span of the task that starts the operation as parent")
        func parent() async throws {
            let tracer = InMemoryTracer()
            let listener = TracingListener(tracer)
            let outer = tracer.startSpan("outer")
            _ = await ServiceContext.withValue(outer.context) {
                await call([listener], interceptors: [listener], [.json("{}")])
            }
            outer.end()
            let operation = try #require(
                tracer.finishedSpans.first { $0.operationName == "things.get" })
            #expect(operation.parentSpanID == outer.spanID)
        }

        /// A manager with coalesced calls, whose replies wait for a gate.
        private func manager(
            _ listener: TracingListener, _ transport: InMemoryTransport
        ) -> APIManager<TestAPI> {
            things(transport, interceptors: [listener], listeners: [listener])
        }

        @Test(
            "an operation's span has the group's span as parent, or one that the group's body makes"
        )
        func group() async throws {
            let tracer = InMemoryTracer()
            let listener = TracingListener(tracer)
            let manager = manager(listener, InMemoryTransport { _ in .json("{}") })
            @Sendable func thing() -> DataOperation<Data> {
                manager.operation(RequestBuilder(TestAPI.APIMethod.get).finishRaw())
            }
            try await manager.group("outer") { group in
                try await group.run(
                    manager.group("inner") { inner in
                        async let value = inner.run(thing())
                        _ = try await value
                    })
                try await tracer.withAnySpan("own") { _ in
                    _ = try await group.run(thing())
                }
            }.value
            #expect(tracer.activeSpans.isEmpty)
            let spans = tracer.finishedSpans
            let (outer, inner, own) = try (
                #require(spans.first { $0.operationName == "outer" }),
                #require(spans.first { $0.operationName == "inner" }),
                #require(spans.first { $0.operationName == "own" })
            )
            #expect(outer.parentSpanID == nil)
            #expect(inner.parentSpanID == outer.spanID)
            let things = spans.filter { $0.operationName == "things.get" }
            #expect(things.map(\.parentSpanID) == [inner.spanID, own.spanID])
            #expect(inner.traceID == outer.traceID)
        }

        @Test(
            "the listener for traces begins a trace for a coalesced request, and sends its context")
        func shared() async throws {
            let tracer = InMemoryTracer()
            let transport = InMemoryTransport { _ in .json("{}") }
            let manager = manager(TracingListener(tracer), transport)
            _ = try await manager.operation(RequestBuilder(TestAPI.APIMethod.shared).finishRaw())
                .value
            #expect(tracer.activeSpans.isEmpty)
            let spans = tracer.finishedSpans
            #expect(Set(spans.map(\.operationName)) == ["GET", "things.shared"])
            let request = try #require(spans.first { $0.kind == .client })
            let name = try #require(HTTPField.Name(InMemoryTracer.spanIDKey))
            #expect(transport.requests.map { $0.head.headerFields[name] } == [request.spanID])
        }

        @Test(
            "the listener finds the task starting an operation, even if another delivers the event")
        func otherThread() async throws {
            let tracer = InMemoryTracer()
            let listener = TracingListener(tracer)
            let (busy, free) = (Gate(), DispatchSemaphore(value: 0))
            let transport = InMemoryTransport { _ in .json("{}") }
            let manager = things(
                transport,
                listeners: [
                    listener,
                    // Blocks the thread of the listeners.
                    Holder { event in
                        guard event.tags == ["first"], case .started = event.kind else { return }
                        busy.open()
                        free.wait()
                    },
                ])
            func call(_ tag: String) -> DataOperation<Data> {
                manager.operation(
                    RequestBuilder(TestAPI.APIMethod.get).finishRaw(),
                    options: CallOptions(tags: [tag])
                )
            }
            let (first, second) = (call("first"), call("second"))
            DispatchQueue(label: "first").async { first.start() }
            await busy.wait()
            let outer = tracer.startSpan("outer")
            _ = ServiceContext.withValue(outer.context) { second.start() }
            free.signal()
            _ = try await (first.value, second.value)
            outer.end()
            let parents = tracer.finishedSpans.filter { $0.operationName == "things.get" }
                .map(\.parentSpanID)
            #expect(parents.contains(outer.spanID) && parents.contains(nil))
        }

        @Test("the listener for traces contains no secret")
        func secrecy() async {
            let echo = TransportReply.json(
                #"{"message":"no \#(secret)"}"#, status: .badRequest, fields: [.server: secret])
            for replies in [[echo], []] {
                let (spans, _, _) = await trace(replies)
                var text = ""
                for span in spans {
                    span.attributes.forEach { text += "\($0) \($1)\n" }
                    text += "\(span.operationName) \(span.status?.message ?? "")\n"
                    text += span.events.map(\.name).joined(separator: "\n")
                }
                #expect(text.contains("‹redacted›"))
                #expect(!text.contains("s3cr3t"))
            }
        }
    }
#endif
