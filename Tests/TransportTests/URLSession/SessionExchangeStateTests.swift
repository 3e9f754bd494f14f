import Foundation
import HTTPTypes
import TelexRuntime
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The state of an exchange")
struct SessionExchangeStateTests {
    /// An exchange whose reply declares `length` bytes, after receiving `bytes`.
    private func exchange(declaring length: Int, _ bytes: [UInt8]) throws -> SessionExchangeState {
        var state = SessionExchangeState(limit: 100, asksForHeadOnly: false)
        let url = try #require(URL(string: "https://a.test/"))
        let reply = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: ["Content-Length": "\(length)"]))
        state.receive(reply).wake()
        state.receive(bytes).wake()
        return state
    }

    /// The error of the reader when the task of an exchange ends with an error of Foundation.
    private func end(_ state: inout SessionExchangeState, _ code: URLError.Code) async
        -> TransportError?
    {
        state.complete(nil, URLError(code)).wake()
        do throws(TransportError) {
            while try await next(&state).get() != nil {}
            return nil
        } catch { return error }
    }

    private func next(_ state: inout SessionExchangeState) async -> Result<[UInt8]?, TransportError>
    {
        await withCheckedContinuation { waiter in state.waitForChunk(waiter).wake() }
    }

    @Test("the state of an exchange ends in an error if more has come than its reply declares")
    func tooMuch() async throws {
        var state = try exchange(declaring: 2, [1, 2, 3])
        state.complete(nil, nil).wake()
        #expect(try await next(&state).get() == [1, 2, 3])
        let end = await next(&state)
        #expect(throws: TransportError.self) { try end.get() }
    }

    @Test("an exchange delivers no bytes after cancellation, but all received before other errors")
    func cancelled() async throws {
        var state = try exchange(declaring: 9, [1, 2, 3])
        state.end(.failure(.cancelled)).wake()
        #expect(await next(&state) == .failure(.cancelled))
        let lost = TransportError(.connectionLost, "x")
        var other = try exchange(declaring: 9, [1, 2, 3])
        other.end(.failure(lost)).wake()
        #expect(await next(&other) == .success([1, 2, 3]))
        #expect(await next(&other) == .failure(lost))
    }

    @Test(
        "the state of an exchange ends in a truncated body after the head, whatever the error",
        arguments: [
            .notConnectedToInternet, .dataNotAllowed, .callIsActive, .cannotConnectToHost,
            .cannotFindHost, .networkConnectionLost, .secureConnectionFailed, .unknown,
        ] as [URLError.Code])
    func afterHead(_ code: URLError.Code) async throws {
        var state = try exchange(declaring: 9, [1, 2, 3])
        #expect(await end(&state, code)?.kind == .truncated(received: 3, expected: 9))
    }

    @Test("an exchange ends by a cancellation or a time-out the same before and after the head")
    func afterHeadOnPurpose() async throws {
        for (code, kind) in [
            (URLError.Code.cancelled, TransportError.Kind.cancelled), (.timedOut, .timedOut),
        ] {
            var state = try exchange(declaring: 9, [1, 2, 3])
            #expect(await end(&state, code)?.kind == kind)
        }
    }

    @Test("an exchange counts as having reached the server once bytes of the body were sent")
    func afterSending() async {
        let codes: [(URLError.Code, TransportError.Kind)] = [
            (.notConnectedToInternet, .offline), (.dataNotAllowed, .offline),
            (.cannotFindHost, .nameNotFound),
        ]
        for (code, kind) in codes {
            var state = SessionExchangeState(limit: 100, asksForHeadOnly: false)
            #expect(await end(&state, code)?.kind == kind)
            var other = SessionExchangeState(limit: 100, asksForHeadOnly: false)
            other.sent()
            #expect(await end(&other, code)?.kind == .connectionLost)
        }
    }

    @Test("the state of an exchange has no idle time while it waits for a connection")
    func waiting() {
        var state = SessionExchangeState(limit: 100, asksForHeadOnly: false)
        #expect(state.timeLeft(of: .seconds(9)) == .seconds(9))
        state.connect()
        #expect(state.timeLeft(of: .seconds(9)) < .seconds(9))
    }

    @Test("an exchange does not extend its idle time-out if its connection is reported late")
    func signBeforeConnection() {
        var state = SessionExchangeState(limit: 100, asksForHeadOnly: false)
        state.sent()
        let left = state.timeLeft(of: .seconds(9))
        #expect(left < .seconds(9))
        state.connect()
        #expect(state.timeLeft(of: .seconds(9)) <= left)
    }
}
