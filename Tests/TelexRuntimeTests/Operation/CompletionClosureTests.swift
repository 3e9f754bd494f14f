import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A completion closure")
struct CompletionClosureTests {
    private let client = TestClient { request in
        request.head.path?.contains("lines") == true
            ? .chunks([Array("1\n".utf8)]) : .json(#"{"response":[]}"#)
    }

    /// Performs `work` while a closure blocks.
    private func whileSlow(
        _ client: TestClient, _ body: (TestClient) async throws -> Void
    ) async throws {
        let (told, gate) = (Gate(), DispatchSemaphore(value: 0))
        defer { gate.signal() }
        let slow = client.call()
        slow.whenEnded { _ in
            told.open()
            gate.wait()
        }
        slow.cancel()
        await told.wait()
        try await body(client)
    }

    @Test("a completion closure is called on the chosen queue, also if the operation has ended")
    func queue() async throws {
        let queue = DispatchQueue(label: "of the test")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let call = client.call()
        for _ in 0..<2 {
            let (isThere, users) = await withCheckedContinuation { done in
                call.start(on: queue) { result in
                    done.resume(
                        returning: (DispatchQueue.getSpecific(key: key), try? result.get()))
                }
            }
            #expect(isThere == true && users == [])
        }
    }

    /// State of the main actor.
    @MainActor
    private final class Label {
        var texts: [String] = []
    }

    @Test("a completion closure may change main-actor state, also if the operation has ended")
    @MainActor
    func mainActor() async throws {
        let label = Label()
        let call = client.call()
        for _ in 0..<2 {
            await withCheckedContinuation { done in
                call.start(on: MainActor.shared) { result in
                    label.texts.append((try? result.get()).map { "\($0.count) users" } ?? "none")
                    done.resume()
                }
            }
        }
        #expect(label.texts == ["0 users", "0 users"])
    }

    @Test("a completion closure may wait for other operations of its API, also with prerequisites")
    func blocks() async throws {
        let (first, second) = (client.call(), client.call())
        let third = client.call(after: [second])
        let users: [User] = try await withCheckedThrowingContinuation { done in
            first.whenEnded { _ in
                second.start()
                done.resume(with: Result { try third.waitSync() })
            }
            first.cancel()
        }
        #expect(users == [])
    }

    @Test("a completion closure may wait for the task whose cancellation ended the operation")
    func task() async throws {
        let client = TestClient { _ in
            await Gate().wait()
            return .bytes()
        }
        let call = client.call()
        let (over, told) = (DispatchSemaphore(value: 0), Gate())
        call.whenEnded { _ in
            over.wait()
            told.open()
        }
        let task = Task {
            _ = try? await call.value
            over.signal()
        }
        await call.reach { $0 == .running(attempt: 1) }
        task.cancel()
        await told.wait()
        #expect(call.state == .cancelled)
    }

    @Test("a completion closure delays the end of no call, however slow it is")
    func call() async throws {
        try await whileSlow(client) { client async throws in
            #expect(try await client.call().value == [])
            let first = client.call()
            let second = client.call(after: [first])
            first.start()
            #expect(try await second.value == [])
        }
    }

    @Test("a completion closure delays no reader at the end of a stream, however slow it is")
    func reader() async throws {
        try await whileSlow(client) { client async throws in
            let stream = client.manager.operation(EngineRequests.lines())
            var elements: [Int] = []
            for try await element in stream.elements { elements.append(element) }
            #expect(elements == [1])
        }
    }

    @Test("a completion closure keeps no file locked, however slow it is")
    func file() async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1
                ? .chunks([[1]], length: 3, after: Gate()) : .chunks([[1, 2, 3]], length: 3)
        }
        try await withFile { path in
            try await whileSlow(client) { client async throws in
                let first = client.manager.operation(EngineRequests.download(id: 1, to: path))
                let progress = first.progress
                first.start()
                for await step in progress where step.received == 1 { break }
                first.cancel()
                _ = try? await first.value
                let again = client.manager.operation(EngineRequests.download(id: 1, to: path))
                #expect(try await again.value.bytes == 3)
            }
        }
    }
}
