import Dispatch
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The thread that this is called on, which a task keeps until it waits.
private func thread() -> Int {
    #if canImport(Darwin)
        Int(bitPattern: pthread_self())
    #else
        Int(pthread_self())
    #endif
}

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("The first steps of a call")
struct FirstStepsTests {
    /// A call whose server does something to it before it lets anybody wait.
    private func call(
        _ script: @escaping @Sendable (OperationHandle) async -> TransportReply
    ) -> (DataOperation<[User]>, Desk) {
        let own = Mutex<OperationHandle?>(nil)
        let desk = Desk { _ in
            guard let call = own.withLock({ $0 }) else { return .bytes(status: .badRequest) }
            return await script(call)
        }
        let call = desk.call()
        own.withLock { $0 = call }
        return (call, desk)
    }

    @Test("are made by the task that waits for it, if it may be sent at once")
    func onOwnThread() async throws {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            let sender = Mutex(0)
            let (call, _) = call { _ in
                sender.withLock { $0 = thread() }
                return empty
            }
            let waiting = thread()
            #expect(try await call.value == [])
            #expect(sender.withLock { $0 } == waiting)
        }
    }

    @Test("hold up nobody who only starts it")
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

    @Test("are not made for a task that has been cancelled")
    func cancelledTask() async {
        let (call, desk) = call { _ in empty }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await call.value
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(call.state == .cancelled)
        #expect(desk.transport.requests.isEmpty)
    }

    @Test("may cancel it: what follows is stopped")
    func cancelledWithin() async {
        let stopped = Gate()
        let (call, desk) = call { call in
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
        #expect(await eventually { desk.manager.engine.isIdle })
    }

    @Test("may suspend it: it goes on when somebody says so")
    func suspendedWithin() async throws {
        let (call, desk) = call { call in
            call.suspend()
            return empty
        }
        async let value = call.value
        await call.reach { $0 == .suspended }
        call.resume()
        #expect(try await value == [])
        #expect(desk.transport.requests.count == 1)
    }

    @Test("may run another call, as those of an interceptor do")
    func nested() async throws {
        let inner = Desk { _ in empty }
        let (call, _) = call { _ in
            #expect(await (try? inner.call().value) == [])
            return empty
        }
        #expect(try await call.value == [])
        #expect(inner.transport.requests.count == 1)
    }
}
