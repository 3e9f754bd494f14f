import Dispatch
import TelexJSON
import TelexTesting
import TestSupport
import Testing

@testable import TelexRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The thread that this is called on. A task keeps it until it suspends.
private func thread() -> Int {
    #if canImport(Glibc)
        Int(pthread_self())
    #else
        Int(bitPattern: pthread_self())
    #endif
}

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("The first steps of a call")
struct CallStartTests {
    /// A call on which the server performs an action before any task may wait.
    private func call(
        _ script: @escaping @Sendable (OperationHandle) async -> TransportReply
    ) -> (DataOperation<[User]>, TestClient) {
        let own = Lock<OperationHandle?>(nil)
        let client = TestClient { _ in
            guard let call = own.withLock({ $0 }) else { return .bytes(status: .badRequest) }
            return await script(call)
        }
        let call = client.call()
        own.withLock { $0 = call }
        return (call, client)
    }

    @Test("a call's first steps are made by the task that awaits it, if it may be sent at once")
    func onOwnThread() async throws {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            let sender = Lock(0)
            let (call, _) = call { _ in
                sender.withLock { $0 = thread() }
                return empty
            }
            let waiting = thread()
            #expect(try await call.value == [])
            #expect(sender.withLock { $0 } == waiting)
        }
    }

    @Test("the first steps of a call block no task that only starts it")
    func onOtherThread() async throws {
        let isStarted = DispatchSemaphore(value: 0)
        @Sendable func waitForStart() { isStarted.wait() }
        let (call, _) = call { _ in
            waitForStart()
            return empty
        }
        call.start()
        isStarted.signal()
        #expect(try await call.value == [])
    }

    @Test("the first steps of a call are not made for a task that has been cancelled")
    func cancelledTask() async {
        let (call, client) = call { _ in empty }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await call.value
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(call.state == .cancelled)
        #expect(client.transport.requests.isEmpty)
    }

    @Test("the first steps of a call may cancel it: the rest is stopped")
    func cancelledWithin() async {
        let stopped = Gate()
        let (call, client) = call { call in
            call.cancel()
            await withTaskCancellationHandler {
                await stopped.wait()
            } onCancel: {
                stopped.open()
            }
            return empty
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        await stopped.wait()
        #expect(call.attempts.map(\.number) == [1])
        #expect(call.attempts.first?.error is OperationError)
        await until { client.manager.engine.isIdle }
    }

    @Test("the first steps of a call send nothing once an interceptor has cancelled it")
    func cancelledBeforeSending() async {
        let transport = InMemoryTransport { _ in empty }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) {
            $0.interceptors = [Canceller()]
            $0.settings.clock = .stopped
        }
        let call = manager.operation(UsersRequests.get(ids: ["1"]))
        Canceller.cancelled.withLock { $0 = call }
        await #expect(throws: CancellationError.self) { try await call.value }
        await until { manager.engine.isIdle }
        #expect(transport.requests.isEmpty)
    }

    /// Cancels a call, but passes its request on.
    private struct Canceller: Interceptor {
        static let cancelled = Lock<OperationHandle?>(nil)

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            Self.cancelled.withLock { $0 }?.cancel()
            return try await next(request)
        }
    }

    @Test("the first steps of a call send nothing once a listener has cancelled it")
    func cancelledByListener() async {
        let own = Lock<OperationHandle?>(nil)
        let transport = InMemoryTransport { _ in empty }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) {
            $0.settings.clock = .stopped
            $0.onEvent = { event in
                if case .sending = event.kind { own.withLock { $0 }?.cancel() }
            }
        }
        let call = manager.operation(UsersRequests.get(ids: ["1"]))
        own.withLock { $0 = call }
        await #expect(throws: CancellationError.self) { try await call.value }
        await until { manager.engine.isIdle }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "a timed-out attempt's first steps send nothing, whether another follows at once or not",
        arguments: [.zero, .seconds(3)] as [Duration])
    func outOfTime(_ pause: Duration) async throws {
        let clock = VirtualClock()
        let engine = Lock<Engine?>(nil)
        let transport = InMemoryTransport { _ in empty }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) {
            $0.settings.clock = clock.runtimeClock
            $0.onEvent = { event in
                guard case .sending = event.kind, let engine = engine.withLock({ $0.take() })
                else { return }
                clock.advance(by: .seconds(1))
                engine.send(.tick)
            }
        }
        engine.withLock { $0 = manager.engine }
        let call = manager.operation(
            UsersRequests.get(ids: ["1"]),
            options: CallOptions(
                timeouts: Timeouts(attempt: .seconds(1)),
                retry: RetryPolicy(backoff: Backoff(initial: pause, jitter: 0))))
        let value = Task { try await call.value }
        if pause > .zero {
            await call.reach { $0.description.hasPrefix("waiting") }
            clock.advance(by: pause)
        }
        #expect(try await value.value == [])
        #expect(transport.requests.count == 1)
        #expect(call.attempts.map(\.number) == [1, 2])
    }

    @Test("a call's first steps are made on another thread if this one has others' actions to do")
    func handedOver() async {
        let isSent = DispatchSemaphore(value: 0)
        let transport = InMemoryTransport { _ in
            isSent.signal()
            return empty
        }
        let other = Lock<OperationHandle?>(nil)
        let wasSent = Lock(false)
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) {
            $0.settings.clock = .stopped
            $0.onEvent = { event in
                switch event.kind {
                // On the thread that performs the start of the call, which has not returned yet.
                case .started: other.withLock { $0.take() }?.cancel()
                case .cancelled:
                    isSent.wait()
                    wasSent.withLock { $0 = true }
                default: break
                }
            }
        }
        let users = UsersRequests.get(ids: ["1"])
        let first = manager.operation(users)
        let blocked = manager.operation(users, after: [first])
        blocked.start()
        other.withLock { $0 = blocked }
        await onThreadForLongTests { #expect(await (try? first.value) == []) }
        #expect(wasSent.withLock { $0 })
    }

    @Test("the first steps of a call may suspend it: it continues after `resume`")
    func suspendedWithin() async throws {
        let (call, client) = call { call in
            call.suspend()
            return empty
        }
        async let value = call.value
        await call.reach { $0 == .suspended }
        call.resume()
        #expect(try await value == [])
        #expect(client.transport.requests.count == 1)
    }

    @Test("the first steps of a call may run another call, as an interceptor does")
    func nested() async throws {
        let inner = TestClient { _ in empty }
        let (call, _) = call { _ in
            #expect(await (try? inner.call().value) == [])
            return empty
        }
        #expect(try await call.value == [])
        #expect(inner.transport.requests.count == 1)
    }
}
