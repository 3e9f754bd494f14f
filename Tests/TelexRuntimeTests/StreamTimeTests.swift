import Foundation
import HTTPTypes
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

/// What a reader has seen.
private final class Seen: Sendable {
    private struct State {
        var elements: [Int] = []
        /// Opened once there are so many elements.
        var gates: [Int: Gate] = [:]
    }

    private let state = Mutex(State())
    private let error = Mutex<(any Error)?>(nil)

    var all: [Int] { state.withLock { $0.elements } }
    var problem: APIError? { error.withLock { $0 as? APIError } }

    func add(_ element: Int) {
        let gate = state.withLock { state in
            state.elements.append(element)
            return state.gates[state.elements.count]
        }
        gate?.open()
    }

    /// Returns once there are so many.
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

/// So many events with ids, from the one after the last that the request names.
private func events(_ range: ClosedRange<Int>, after id: String?) -> [[UInt8]] {
    let last = id.flatMap { Int($0) } ?? 0
    return text(range.filter { $0 > last }.map { "id: \($0)\ndata: \($0)\n\n" }.joined())
}

@Suite("A stream whose attempt takes too long")
struct StreamTimeOutTests {
    @Test("fails rather than repeat elements that it has handed out")
    func noRepeat() async {
        let desk = Desk { _ in .chunks(text("1\n2\n"), after: Gate()) }
        let stream = desk.manager.operation(EngineRequests.lines(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await seen.count(2)
        desk.clock.advance(by: .seconds(1))
        await reader.value
        #expect(seen.all == [1, 2])
        #expect(seen.problem?.reason == .attemptTimedOut(after: .seconds(1)))
        #expect(seen.problem?.isRetryable == true && seen.problem?.attempts == 1)
        #expect(desk.transport.requests.count == 1)
    }

    @Test("goes on if it was only held, since what it has handed out cannot be repeated")
    func held() async {
        let (rest, sent) = (Gate(), Counter())
        let desk = Desk { _ in
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                let number = sent.next()
                if number == 2 { await rest.wait() }
                return number <= 2 ? Array("\(number)\n".utf8) : nil
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }
        let stream = desk.manager.operation(EngineRequests.lines(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await seen.count(1)
        stream.suspend()
        desk.pass(.seconds(1))
        stream.resume()
        rest.open()
        await reader.value
        #expect(seen.all == [1, 2] && seen.problem == nil)
        #expect(desk.transport.requests.count == 1)
    }

    @Test("is asked for again if nothing has been handed out")
    func nothingYet() async {
        let (sent, arrived) = (Counter(), Gate())
        let desk = Desk { _ in
            let isFirst = sent.next() == 1
            arrived.open()
            return isFirst ? .chunks([], after: Gate()) : .chunks(text("1\n2\n"))
        }
        let stream = desk.manager.operation(EngineRequests.lines(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await arrived.wait()
        desk.clock.advance(by: .seconds(1))
        await stream.reach { $0.isWaiting }
        desk.clock.advance(by: .seconds(1))
        await reader.value
        #expect(seen.all == [1, 2] && sent.value == 2)
    }

    @Test(
        "goes on after the event that it handed out last, in the middle of a chunk too",
        arguments: [false, true])
    func slowReader(isHeld: Bool) async throws {
        let desk = Desk { request in .chunks(events(1...40, after: request.lastEventID)) }
        let stream = desk.manager.operation(EngineRequests.events(), options: options())
        var iterator = stream.elements.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        // There is no room for all of the others, so the chunk is still being handed out.
        if isHeld {
            stream.suspend()
            desk.pass(.seconds(1))
            stream.resume()
        } else {
            desk.clock.advance(by: .seconds(1))
            await stream.reach { $0.isWaiting }
            desk.clock.advance(by: .seconds(1))
        }
        var all = [1]
        while let element = try await iterator.next() { all.append(element) }
        #expect(all == Array(1...40))
        let asked = desk.transport.requests.map(\.lastEventID)
        #expect(asked.count == 2 && asked.first == .some(nil) && asked.last != .some(nil))
    }

    @Test("hands out nothing whose reading took too long: the next attempt brings it")
    func lateElement() async {
        let own = Mutex<Desk?>(nil)
        let desk = Desk { _ in .chunks(text("1\n2\n")) }
        own.withLock { $0 = desk }
        let stream = desk.manager.operation(
            RequestBuilder(Tiny.APIMethod.lines).finishStream(.jsonLines) { json -> Int? in
                own.withLock { $0.take() }?.pass(.seconds(1))
                return json.value()
            }, options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await stream.reach { $0.isWaiting }
        desk.pass(.seconds(1))
        await reader.value
        #expect(seen.all == [1, 2] && seen.problem == nil)
    }

    @Test("is not limited in its attempts as long as each of them brings something")
    func progress() async {
        let desk = Desk { request in
            let next = (request.lastEventID.flatMap { Int($0) } ?? 0) + 1
            return .chunks(events(next...next, after: nil), after: next < 9 ? Gate() : nil)
        }
        let stream = desk.manager.operation(EngineRequests.events(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        for number in 1..<9 {
            await seen.count(number)
            desk.clock.advance(by: .seconds(1))
            await stream.reach { $0.isWaiting }
            desk.clock.advance(by: .seconds(1))
        }
        await reader.value
        #expect(seen.all == Array(1...9) && seen.problem == nil)
    }

    @Test("hands out nothing twice, whenever its time is over", arguments: [false, true])
    func race(hasIDs: Bool) async {
        for round in 0..<60 {
            let (arrived, go, sent) = (Gate(), Gate(), Counter())
            let desk = Desk { request in
                let isFirst = sent.next() == 1
                arrived.open()
                let pieces =
                    hasIDs ? events(1...5, after: request.lastEventID) : text("1\n2\n3\n4\n5\n")
                if isFirst { await go.wait() }
                return .chunks(pieces, after: isFirst ? Gate() : nil)
            }
            let stream = desk.manager.operation(
                hasIDs ? EngineRequests.events() : EngineRequests.lines(), options: options())
            let seen = Seen()
            let reader = seen.read(stream)
            await arrived.wait()
            go.open()
            for _ in 0..<round % 15 { await Task.yield() }
            desk.clock.advance(by: .seconds(1))
            await stream.reach { $0 != .running(attempt: 1) }
            desk.clock.advance(by: .milliseconds(600))
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

    @Test("fails rather than repeat what came after an id that no request can carry, or none")
    func badIDs() async {
        for (index, id) in ["id:  a", "id: a\u{1}", "id"].enumerated() {
            let desk = Desk { [lost] _ in
                .chunks(text("id: a\ndata: 1\n\n\(id)\ndata: 2\n\n"), then: lost)
            }
            let stream = desk.manager.operation(EngineRequests.events(), options: options())
            let seen = Seen()
            await seen.read(stream).value
            #expect(seen.all == [1, 2] && seen.problem?.attempts == 1, "\(index)")
        }
    }

    @Test("fails rather than begin anew once the server has taken the id back")
    func idTakenBack() async {
        let desk = Desk { [lost] _ in .chunks(text("id: a\ndata: 1\n\nid\n\n"), then: lost) }
        let error = await failure(
            desk.manager.operation(EngineRequests.events(), options: options()))
        #expect(error?.attempts == 1)
    }

    @Test("goes on after an id that came without data")
    func idAlone() async {
        let desk = Desk { [lost] request in
            request.lastEventID == nil
                ? .chunks(text("id: a\ndata: 1\n\nid: b\n\n"), then: lost)
                : .chunks(text("data: 2\n\n"))
        }
        let stream = desk.manager.operation(EngineRequests.events(), options: options())
        let reader = Seen().read(stream)
        await stream.reach { $0.isWaiting }
        desk.clock.advance(by: .seconds(1))
        await reader.value
        #expect(desk.transport.requests.map(\.lastEventID) == [nil, "b"])
    }

    @Test("leaves the server alone for as long as its `retry` says, this time and the next")
    func pause() async throws {
        let sent = Counter()
        let desk = Desk { [lost] _ throws(TransportError) in
            let number = sent.next()
            if number == 2 { throw lost }
            return number == 1
                ? .chunks(text("retry: 5000\nid: a\ndata: 1\n\n"), then: lost)
                : .chunks(text("data: 2\n\n"))
        }
        let stream = desk.manager.operation(
            EngineRequests.events(), options: options(attempt: nil))
        stream.start()
        #expect(await desk.waits(of: stream).map { $0 >= 5 && $0 < 5.5 } == [true, true])
        #expect(try await stream.value.count == 2)
    }

    @Test(
        "leaves the server alone after a time-out as well, held or not", arguments: [false, true])
    func pauseAfterTimeOut(isHeld: Bool) async throws {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() == 1
                ? .chunks(text("retry: 5000\nid: a\ndata: 1\n\n"), after: Gate())
                : .chunks(text("data: 2\n\n"))
        }
        let stream = desk.manager.operation(EngineRequests.events(), options: options())
        let seen = Seen()
        let reader = seen.read(stream)
        await seen.count(1)
        if isHeld { stream.suspend() }
        desk.pass(.seconds(1))
        if isHeld { stream.resume() }
        #expect(await desk.waits(of: stream).map { $0 >= 5 && $0 < 5.5 } == [true])
        await reader.value
        #expect(seen.all == [1, 2])
    }

    @Test("leaves the server alone after a time-out if all that came was its `retry`")
    func pauseAlone() async throws {
        let (sent, told) = (Counter(), Gate())
        let desk = Desk { _ in
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
        let stream = desk.manager.operation(EngineRequests.events(), options: options())
        stream.start()
        await told.wait()
        desk.pass(.seconds(1))
        #expect(await desk.waits(of: stream).map { $0 >= 5 && $0 < 5.5 } == [true])
        #expect(try await stream.value.count == 1)
    }

    @Test("is not limited in its attempts if each brings an element, and an id alone after it")
    func progressBeforeIDs() async {
        let desk = Desk { [lost] request in
            let last = request.lastEventID.flatMap { Int($0) } ?? 0
            return last < 80
                ? .chunks(
                    text("id: \(last + 5)\ndata: \(last)\n\nid: \(last + 10)\n\n"), then: lost)
                : .chunks(text("data: 80\n\n"))
        }
        let stream = desk.manager.operation(
            EngineRequests.events(), options: options(attempt: nil))
        let seen = Seen()
        let reader = seen.read(stream)
        _ = await desk.waits(of: stream)
        await reader.value
        #expect(seen.all == Array(stride(from: 0, through: 80, by: 10)) && seen.problem == nil)
    }

    @Test("waits no longer than a day, whatever its `retry` says")
    func longPause() async {
        let desk = Desk { [lost] _ in
            .chunks(text("retry: 99999999999999\nid: a\ndata: 1\n\n"), then: lost)
        }
        let stream = desk.manager.operation(EngineRequests.events(), options: options())
        stream.start()
        await stream.reach { $0.isWaiting }
        #expect(desk.log.text.contains("is sent again in 8640"))
        stream.cancel()
    }
}

extension Desk {
    /// Lets the time pass for which an operation waits, again and again until it ends.
    ///
    /// - Returns: How many seconds each time.
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
