#if Observability
    import MetricsTestKit
    import RuntimeTestSupport
    import TelexObservability
    import TelexRuntime
    import TelexTesting
    import Testing

    @Suite("The listener for metrics")
    struct MetricsListenerTests {
        @Test("the listener for metrics counts and times a call that succeeds")
        func success() async throws {
            let metrics = TestMetrics()
            _ = await call([MetricsListener(metrics)], [.json("{}")])
            let dimensions = [("api", "Things"), ("method", "things.get")]
            let operations = try metrics.expectCounter(
                "telex.operations", dimensions + [("outcome", "succeeded"), ("error.type", "")])
            #expect(operations.totalValue == 1)
            let exchanges = try metrics.expectCounter(
                "telex.exchanges", dimensions + [("status", "200"), ("outcome", "received")])
            #expect(exchanges.totalValue == 1)
            let active = try metrics.expectMeter("telex.operations.active", [("api", "Things")])
            #expect(active.values == [1, 0])
            for label in ["duration", "wait", "receive"] {
                let timer = try metrics.expectTimer("telex.exchange.\(label)", dimensions)
                #expect(timer.values.count == 1)
            }
            let total = try metrics.expectTimer(
                "telex.operation.duration", dimensions + [("outcome", "succeeded")])
            #expect(total.values.count == 1)
        }

        @Test("the listener for metrics adds up the active operations of several managers")
        func severalManagers() async throws {
            let metrics = TestMetrics()
            let held = Gate()
            let listeners = [MetricsListener(metrics), MetricsListener(metrics)]
            let calls = listeners.map { listener in
                things(
                    InMemoryTransport { _ in
                        await held.wait()
                        return .json("{}")
                    }, listeners: [listener]
                ).operation(RequestBuilder(TestAPI.APIMethod.get).finishRaw())
            }
            for call in calls { call.start() }
            let active = try metrics.expectMeter("telex.operations.active", [("api", "Things")])
            #expect(active.values == [1, 2])
            held.open()
            for call in calls { _ = try await call.value }
            #expect(active.values.last == 0)
        }

        @Test(
            "the metrics listener counts a request that the transport resends on another connection"
        )
        func repeated() async throws {
            let metrics = TestMetrics()
            let call = things(Repeating(), listeners: [MetricsListener(metrics)])
                .operation(RequestBuilder(TestAPI.APIMethod.get).finishRaw())
            call.start()
            _ = try await call.value
            let dimensions = [("api", "Things"), ("method", "things.get")]
            #expect(try metrics.expectCounter("telex.retries", dimensions).totalValue == 1)
        }

        /// Says that it sent a request again.
        private struct Repeating: Transport {
            func send(
                _ request: TransportRequest
            ) async throws(TransportError) -> TransportReply {
                request.onRepeat?(TransportError(.connectionLost, "closed"))
                return .json("{}")
            }
        }

        @Test(
            "the metrics listener counts retries, and labels failures briefly and without secrets")
        func failure() async throws {
            let metrics = TestMetrics()
            _ = await call([MetricsListener(metrics)], [])
            let dimensions = [("api", "Things"), ("method", "things.get")]
            #expect(try metrics.expectCounter("telex.retries", dimensions).totalValue == 1)
            let operations = try metrics.expectCounter(
                "telex.operations",
                dimensions + [("outcome", "failed"), ("error.type", "connection_lost")])
            #expect(operations.totalValue == 1)
            let exchanges = try metrics.expectCounter(
                "telex.exchanges", dimensions + [("status", ""), ("outcome", "connection_lost")])
            #expect(exchanges.totalValue == 2)
            let labels = metrics.counters.map { "\($0.label) \($0.dimensions)" }
            #expect(!labels.joined().contains("s3cr3t"))
        }

        @Test(
            "the listener for metrics counts throttled calls apart from failures",
            arguments: [(TestAPI.APIMethod.seldom, "throttled"), (.search, "replaced")])
        func throttled(method: TestAPI.APIMethod, outcome: String) async throws {
            let metrics = TestMetrics()
            await throttledCall(method, MetricsListener(metrics))
            let counter = try metrics.expectCounter(
                "telex.operations",
                [
                    ("api", "Things"), ("method", method.rawValue), ("outcome", outcome),
                    ("error.type", outcome),
                ])
            #expect(counter.totalValue >= 1)
        }

        @Test("the listener for metrics counts refreshes")
        func refreshes() async throws {
            let metrics = TestMetrics()
            let refresher = AppCredentialRefresher { _ in Credential(token: "new") }
            _ = await call(
                [MetricsListener(metrics)], refresher: refresher,
                [.json("{}", status: .unauthorized), .json("{}")])
            let counter = try metrics.expectCounter(
                "telex.refreshes", [("api", "Things"), ("outcome", "succeeded")])
            #expect(counter.totalValue == 1)
        }
    }
#endif
