import Foundation
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("An error that the body of a group throws")
struct AppErrorTests {
    private struct Odd: Error {
        let token: String
    }

    /// Returns what listeners receive about a group that ends with this error.
    private func told(_ error: any Error) async -> String {
        let client = TestClient { _ in .json("{}") }
        let group: GroupOperation<Void> = client.manager.group("screen") { _ in throw error }
        var events: [String] = []
        let stream = group.events
        await #expect(throws: (any Error).self) { try await group.value }
        for await event in stream { events.append(event.description) }
        return client.log.text + events.joined(separator: "\n")
    }

    @Test("a group's error is reported by type, as its text may hold secrets, unless Telex's own")
    func foreign() async {
        let text = await told(Odd(token: secret))
        #expect(text.contains("an error of the type `Odd` was thrown"))
        #expect(!text.contains(secret))
        let fault = await told(TransportError(.other, secret))
        #expect(fault.contains("`TransportError`") && !fault.contains(secret))
        // Telex's own errors are reported with their text.
        let store = CredentialStoreError(.read, "the disk is gone")
        #expect(await told(store).contains(store.description))
        #expect(await told(OperationError.unknown).contains("the operation failed"))
        #expect(await told(FakeError("ping")).contains("the fake has no answer for `ping`"))
    }
}

@Suite("An error of the app's own login")
struct LoginErrorTests {
    /// Foundation's error text holds the whole address.
    private func failed(_ code: URLError.Code) -> URLError {
        let address = URL(string: "https://id.test/login?client_secret=\(secret)")
        return URLError(code, userInfo: [NSURLErrorFailingURLErrorKey: address as Any])
    }

    /// Returns the error of a call whose login throws this, and what listeners receive.
    private func ending(of error: any Error) async -> (error: APIError?, told: String) {
        let log = Log()
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in
                .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
            },
            credentials: .memory(Credential(token: "worn-out-token"))
        ) {
            $0.refresher = .app { _ in throw error }
            $0.settings.clock = .stopped
            $0.onEvent = { log.add($0.description) }
        }
        let failure = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        return (failure, log.text)
    }

    @Test("a login error of the app is told by type and code, and causes the missing-token error")
    func untold() async {
        let (error, told) = await ending(of: failed(.timedOut))
        let words = "an error of the type `URLError` was thrown (code -1001)"
        #expect(told.contains(words) && error?.description.contains(words) == true)
        #expect(!told.contains(secret) && error?.description.contains(secret) == false)
        #expect((error?.cause as? URLError)?.code == .timedOut)
    }

    @Test("an app's login error is of the network if Foundation says so; the call may be repeated")
    func network() async {
        for code in [URLError.Code.timedOut, .notConnectedToInternet, .networkConnectionLost] {
            let error = await ending(of: failed(code)).error
            #expect(error?.fault == .network && error?.isRetryable == true)
        }
        let untrusted = await ending(of: failed(.serverCertificateUntrusted)).error
        #expect(untrusted?.fault == .server && untrusted?.isRetryable == false)
        let odd = await ending(of: failed(.badURL)).error
        #expect(odd?.fault == .caller && odd?.isRetryable == false)
    }

    @Test("an app's login error is not quoted by the error of a log-out that fails in two ways")
    func logOut() {
        let store = CredentialStoreError(.clear, "the disk is read-only")
        let error = LogOutError(storeError: store, requestError: failed(.timedOut))
        #expect(error.description.contains("`URLError`"))
        #expect(!error.description.contains(secret))
    }
}
