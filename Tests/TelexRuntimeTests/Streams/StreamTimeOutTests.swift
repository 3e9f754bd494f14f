import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// The elements that a reader has received.
private final class Seen: Sendable {
    private struct State {
        var elements: [Int] = []
        /// Open once this many elements have arrived.
        var gates: [Int: Gate] = [:]
    }

    private let state = Lock(State())
    private let error = Lock<(any Error)?>(nil)

    var all: [Int] { state.withLock { $0.elements } }
    var problem: APIError? { error.withLock { $0 as? APIError } }

    func add(_ element: Int) {
        let gate = state.withLock { state in
            state.elements.append(element)
            return state.gates[state.elements.count]
        }
        gate?.open()
    }

    /// Returns once this many elements have arrived.
    func count(_ number: Int) async {
        let gate = Gate()
        let isThere = state.withLock { state in
            state.gates[number] = gate
            return state.elements.count >= number
        }
        if !isThere { await gate.wait() }
    }

    /// Reads a stream to its end.
    func read(_ stream: StreamOperation<Int>) -> Task<Void, Never> {
        let elements = stream.elements
        return Task {
            do { for try await element in elements { add(element) } } catch {
                self.error.withLock { $0 = error }
            }
        }
    }
}

extension OperationState {
    fileprivate var isWaiting: Bool { if case .waiting = self { true } else { false } }
}

extension SentRequest {
    fileprivate var lastEventID: String? {
        HTTPField.Name("Last-Event-ID").flatMap { head.headerFields[$0] }
    }
}

private func options(attempt: Duration? = .seconds(1)) -> CallOptions {
    CallOptions(
        timeouts: Timeouts(attempt: attempt),
        retry: RetryPolicy(backoff: Backoff(initial: .milliseconds(500), jitter: 0)))
}

/// The bytes of an event stream or of lines, in one chunk.
private func text(_ text: String) -> [[UInt8]] { [Array(text.utf8)] }

/// This many events with ids, after the last id that the request names.
private func events(_ range: ClosedRange<Int>, after id: String?) -> [[UInt8]] {
    let last = id.flatMap { Int($0) } ?? 0
    return text(range.filter { $0 > last }.map { "id: \($0)\ndata: \($0)\n\n" }.joined())
}

@Suite("A stream whose attempt times out")
struct StreamTimeOutTests {
    @Test("a stream whose attempt times out fails rather than repeat delivered elements")
    func noRepeat() async {
        let client = TestClient { _ in .chunks(text("1\n2\n"), after: Gate()) }
        let stream = client.manager.operation(EngineRequests.lines(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await seen.count(2)
        client.clock.advance(by: .seconds(1))
        await reader.value
        #expect(seen.all == [1, 2])
        #expect(seen.problem?.reason == .attemptTimedOut(after: .seconds(1)))
        #expect(seen.problem?.isRetryable == true && seen.problem?.attempts == 1)
        #expect(client.transport.requests.count == 1)
    }

    @Test("a timed-out stream continues if only suspended: delivered elements cannot be repeated")
    func held() async {
        let (rest, sent) = (Gate(), Counter())
        let client = TestClient { _ in
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                let number = sent.next()
                if number == 2 { await rest.wait() }
                return number <= 2 ? Array("\(number)\n".utf8) : nil
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }
        let stream = client.manager.operation(EngineRequests.lines(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await seen.count(1)
        stream.suspend()
        client.pass(.seconds(1))
        stream.resume()
        rest.open()
        await reader.value
        #expect(seen.all == [1, 2] && seen.problem == nil)
        #expect(client.transport.requests.count == 1)
    }

    @Test("a stream whose attempt times out is repeated if no element was delivered")
    func nothingYet() async {
        let (sent, arrived) = (Counter(), Gate())
        let client = TestClient { _ in
            let isFirst = sent.next() == 1
            arrived.open()
            return isFirst ? .chunks([], after: Gate()) : .chunks(text("1\n2\n"))
        }
        let stream = client.manager.operation(EngineRequests.lines(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await arrived.wait()
        client.clock.advance(by: .seconds(1))
        await stream.reach { $0.isWaiting }
        client.clock.advance(by: .seconds(1))
        await reader.value
        #expect(seen.all == [1, 2] && sent.value == 2)
    }

    @Test(
        "a timed-out stream continues after its last delivered event, also within a chunk",
        arguments: [false, true])
    func slowReader(isHeld: Bool) async throws {
        let client = TestClient { request in .chunks(events(1...40, after: request.lastEventID)) }
        let stream = client.manager.operation(EngineRequests.events(), options: options())
        var iterator = stream.elements.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        // The buffer has no space for all others, so the chunk is still being delivered.
        if isHeld {
            stream.suspend()
            client.pass(.seconds(1))
            stream.resume()
        } else {
            client.clock.advance(by: .seconds(1))
            await stream.reach { $0.isWaiting }
            client.clock.advance(by: .seconds(1))
        }
        var all = [1]
        while let element = try await iterator.next() { all.append(element) }
        #expect(all == Array(1...40))
        let asked = client.transport.requests.map(\.lastEventID)
        #expect(asked.count == 2 && asked.first == .some(nil) && asked.last != .some(nil))
    }

    @Test("a timed-out stream delivers no element that was read too late: the next attempt has it")
    func lateElement() async {
        let own = Lock<TestClient?>(nil)
        let client = TestClient { _ in .chunks(text("1\n2\n")) }
        own.withLock { $0 = client }
        let stream = client.manager.operation(
            RequestBuilder(TinyAPI.APIMethod.lines).finishStream(.jsonLines) { json -> Int? in
                own.withLock { $0.take() }?.pass(.seconds(1))
                return json.value()
            }, options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await stream.reach { $0.isWaiting }
        client.pass(.seconds(1))
        await reader.value
        #expect(seen.all == [1, 2] && seen.problem == nil)
    }

    @Test("a stream whose attempts time out has unlimited ones as long as each delivers something")
    func progress() async {
        let client = TestClient { request in
            let next = (request.lastEventID.flatMap { Int($0) } ?? 0) + 1
            return .chunks(events(next...next, after: nil), after: next < 9 ? Gate() : nil)
        }
        let stream = client.manager.operation(EngineRequests.events(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        for number in 1..<9 {
            await seen.count(number)
            client.clock.advance(by: .seconds(1))
            await stream.reach { $0.isWaiting }
            client.clock.advance(by: .seconds(1))
        }
        await reader.value
        #expect(seen.all == Array(1...9) && seen.problem == nil)
    }

    @Test(
        "a stream whose attempt times out delivers nothing twice, whenever it times out",
        arguments: [false, true])
    func race(hasIDs: Bool) async {
        for round in 0..<60 {
            let (arrived, go, sent) = (Gate(), Gate(), Counter())
            let client = TestClient { request in
                let isFirst = sent.next() == 1
                arrived.open()
                let pieces =
                    hasIDs ? events(1...5, after: request.lastEventID) : text("1\n2\n3\n4\n5\n")
                if isFirst { await go.wait() }
                return .chunks(pieces, after: isFirst ? Gate() : nil)
            }
            let stream = client.manager.operation(
                hasIDs ? EngineRequests.events() : EngineRequests.lines(), options: options())
            let seen = Seen()
            let reader = seen.read(stream)
            await arrived.wait()
            go.open()
            for _ in 0..<round % 15 { await Task.yield() }
            client.clock.advance(by: .seconds(1))
            await stream.reach { $0 != .running(attempt: 1) }
            client.clock.advance(by: .milliseconds(600))
            await reader.value
            let isWhole = seen.all == [1, 2, 3, 4, 5]
            let hasFailed = !hasIDs && seen.problem?.attempts == 1
            #expect(isWhole || hasFailed, "\(seen.all), \(String(describing: seen.problem))")
            #expect(Set(seen.all).count == seen.all.count, "\(seen.all)")
        }
    }
}

@Suite("A stream that breaks off")
struct StreamPauseTests {
    private let lost = TransportError(.connectionLost, "x")

    @Test("a broken stream without an id that requests can carry fails, and repeats no elements")
    func badIDs() async {
        for (index, id) in ["id:  a", "id: a\u{1}", "id"].enumerated() {
            let client = TestClient { [lost] _ in
                .chunks(text("id: a\ndata: 1\n\n\(id)\ndata: 2\n\n"), then: lost)
            }
            let stream = client.manager.operation(EngineRequests.events(), options: options())
            let seen = Seen()
            await seen.read(stream).value
            #expect(seen.all == [1, 2] && seen.problem?.attempts == 1, "\(index)")
        }
    }

    @Test("a stream that breaks off fails rather than restart once the server has cleared the id")
    func idTakenBack() async {
        let client = TestClient { [lost] _ in .chunks(text("id: a\ndata: 1\n\nid\n\n"), then: lost)
        }
        let error = await failure(
            client.manager.operation(EngineRequests.events(), options: options()))
        #expect(error?.attempts == 1)
    }

    @Test("a stream that breaks off continues after an id without data")
    func idAlone() async {
        let client = TestClient { [lost] request in
            request.lastEventID == nil
                ? .chunks(text("id: a\ndata: 1\n\nid: b\n\n"), then: lost)
                : .chunks(text("data: 2\n\n"))
        }
        let stream = client.manager.operation(EngineRequests.events(), options: options())
        let reader = Seen().read(stream)
        await stream.reach { $0.isWaiting }
        client.clock.advance(by: .seconds(1))
        await reader.value
        #expect(client.transport.requests.map(\.lastEventID) == [nil, "b"])
    }

    @Test("a stream that breaks off pauses as long as its `retry` asks, this time and the next")
    func pause() async throws {
        let sent = Counter()
        let client = TestClient { [lost] _ throws(TransportError) in
            let number = sent.next()
            if number == 2 { throw lost }
            return number == 1
                ? .chunks(text("retry: 5000\nid: a\ndata: 1\n\n"), then: lost)
                : .chunks(text("data: 2\n\n"))
        }
        let stream = client.manager.operation(
            EngineRequests.events(), options: options(attempt: nil))
        stream.start()
        #expect(await client.waits(of: stream).map { $0 >= 5 && $0 < 5.5 } == [true, true])
        #expect(try await stream.value.count == 2)
    }

    @Test(
        "a stream that breaks off pauses after a time-out as well, suspended or not",
        arguments: [false, true])
    func pauseAfterTimeOut(isHeld: Bool) async throws {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1
                ? .chunks(text("retry: 5000\nid: a\ndata: 1\n\n"), after: Gate())
                : .chunks(text("data: 2\n\n"))
        }
        let stream = client.manager.operation(EngineRequests.events(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await seen.count(1)
        if isHeld { stream.suspend() }
        client.pass(.seconds(1))
        if isHeld { stream.resume() }
        #expect(await client.waits(of: stream).map { $0 >= 5 && $0 < 5.5 } == [true])
        await reader.value
        #expect(seen.all == [1, 2])
    }

    @Test("a stream that breaks off pauses after a time-out if only its `retry` arrived")
    func pauseAlone() async throws {
        let (sent, told) = (Counter(), Gate())
        let client = TestClient { _ in
            guard sent.next() == 1 else { return .chunks(text("data: 1\n\n")) }
            let step = Counter()
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                if step.next() == 1 { return Array("retry: 5000\n\n".utf8) }
                told.open()
                await Gate().wait()
                return nil
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }
        let stream = client.manager.operation(EngineRequests.events(), options: options())
        stream.start()
        await told.wait()
        client.pass(.seconds(1))
        #expect(await client.waits(of: stream).map { $0 >= 5 && $0 < 5.5 } == [true])
        #expect(try await stream.value.count == 1)
    }

    @Test("a broken stream has unlimited attempts if each delivers an element, then an id alone")
    func progressBeforeIDs() async {
        let client = TestClient { [lost] request in
            let last = request.lastEventID.flatMap { Int($0) } ?? 0
            return last < 80
                ? .chunks(
                    text("id: \(last + 5)\ndata: \(last)\n\nid: \(last + 10)\n\n"), then: lost)
                : .chunks(text("data: 80\n\n"))
        }
        let stream = client.manager.operation(
            EngineRequests.events(), options: options(attempt: nil))
        let seen = Seen()
        let reader = seen.read(stream)
        _ = await client.waits(of: stream)
        await reader.value
        #expect(seen.all == Array(stride(from: 0, through: 80, by: 10)) && seen.problem == nil)
    }

    @Test("a stream that breaks off waits for a day at most, whatever its `retry` asks")
    func longPause() async {
        let client = TestClient { [lost] _ in
            .chunks(text("retry: 99999999999999\nid: a\ndata: 1\n\n"), then: lost)
        }
        let stream = client.manager.operation(EngineRequests.events(), options: options())
        stream.start()
        await stream.reach { $0.isWaiting }
        #expect(client.log.text.contains("is retried in 8640"))
        stream.cancel()
    }
}

extension TestClient {
    /// Advances the clock to the end of each wait of an operation until it ends.
    ///
    /// - Returns: The length of each wait in seconds.
    fileprivate func waits(of operation: OperationHandle) async -> [Double] {
        var waits: [Double] = []
        for await state in operation.states {
            guard case .waiting(let end) = state else { continue }
            let wait = end.timeIntervalSince(clock.runtimeClock.now())
            waits.append(wait)
            clock.advance(by: .seconds(wait + 0.001))
        }
        return waits
    }
}
