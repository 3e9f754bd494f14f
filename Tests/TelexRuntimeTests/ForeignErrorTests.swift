import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("An error that the body of a group throws")
struct ForeignErrorTests {
    private struct Odd: Error {
        let token: String
    }

    /// What listeners are told of a group that ends with this error.
    private func told(_ error: any Error) async -> String {
        let desk = Desk { _ in .json("{}") }
        let group: GroupOperation<Void> = desk.manager.group("screen") { _ in throw error }
        var events: [String] = []
        let stream = group.events
        await #expect(throws: (any Error).self) { try await group.value }
        for await event in stream { events.append(event.description) }
        return desk.log.text + events.joined(separator: "\n")
    }

    @Test("is told by its type, as its words may hold anything, unless it is Telex's own")
    func foreign() async {
        let text = await told(Odd(token: secret))
        #expect(text.contains("an error of the type `Odd` was thrown"))
        #expect(!text.contains(secret))
        let fault = await told(TransportError(.other, secret))
        #expect(fault.contains("`TransportError`") && !fault.contains(secret))
        // Of Telex's own, the words are.
        let store = CredentialStoreError(.read, "the disk is gone")
        #expect(await told(store).contains(store.description))
        #expect(await told(OperationError.unknown).contains("the operation failed"))
        #expect(await told(FakeError("ping")).contains("the fake has no answer for `ping`"))
    }
}
