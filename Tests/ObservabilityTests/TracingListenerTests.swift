#if Observability
    import HTTPTypes
    import InMemoryTracing
    import TelexObservability
    import TelexRuntime
    import TelexTesting
    import Testing
    import Tracing

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

        @Test("makes a span of an operation and, in it, one of its request")
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

        @Test("makes a span of each attempt, counts them, and marks failures")
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

        @Test("ends the span of a request that another interceptor keeps from being sent")
        func intercepted() async {
            struct Breaker: Interceptor {
                func intercept(
                    _ request: TransportRequest, of call: InterceptedCall,
                    next: @Sendable (TransportRequest) async throws -> TransportReply
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

        @Test("belongs to the span of the task that starts the operation")
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

        @Test("holds no secret")
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
