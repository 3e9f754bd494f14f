import Foundation
import HTTPTypes
import TelexRuntime
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What is known of an exchange")
struct ExchangeStateTests {
    /// An exchange whose reply declares so many bytes, of which these have come.
    private func exchange(declaring length: Int, _ bytes: [UInt8]) throws -> ExchangeState {
        var state = ExchangeState(limit: 100, asksForHeadOnly: false)
        let url = try #require(URL(string: "https://a.test/"))
        let reply = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil,
                headerFields: ["Content-Length": "\(length)"]))
        state.receive(reply).wake()
        state.receive(bytes).wake()
        return state
    }

    private func next(_ state: inout ExchangeState) async -> Result<[UInt8]?, TransportError> {
        await withCheckedContinuation { waiter in state.waitForChunk(waiter).wake() }
    }

    @Test("ends in an error if more has come than its reply declares")
    func tooMuch() async throws {
        var state = try exchange(declaring: 2, [1, 2, 3])
        state.complete(nil, nil).wake()
        #expect(try await next(&state).get() == [1, 2, 3])
        let end = await next(&state)
        #expect(throws: TransportError.self) { try end.get() }
    }

    @Test("gives nothing more to whoever cancelled it, but all that has come before another error")
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
}
