import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The configuration of the sessions of URLSession")
struct SessionConfigurationTests {
    /// Enables every kind of storage.
    private static let storing: URLSessionTransport.Configure = { configuration, _ in
        configuration.httpCookieStorage = .shared
        configuration.httpCookieAcceptPolicy = .always
        configuration.httpShouldSetCookies = true
        configuration.urlCache = .shared
        configuration.urlCredentialStorage = .shared
    }

    @Test("a URLSession configuration is changed by a closure that gets the session")
    func told() async throws {
        let server = try LoopbackServer { _ in .text("a") }
        defer { server.stop() }
        let told = Lock<[TransportSession]>([])
        let transport = URLSessionTransport { _, session in told.withLock { $0.append(session) } }
        let sessions: [TransportSession] = [
            .shared, .ephemeral, TransportSession("images", connectionsPerHost: 2),
        ]
        for session in sessions + sessions {
            let head = HTTPRequest(
                method: .get, scheme: "http", authority: server.authority, path: "/")
            _ = try await transport.send(
                TransportRequest(head: head, timeout: .noTimeout, session: session)
            )
            .body.collect(upTo: 9)
        }
        #expect(told.withLock { $0 } == sessions)
    }

    @Test("the configuration of the sessions of URLSession may differ for one session")
    func alone() {
        let (images, other) = (URLSessionConfiguration.ephemeral, URLSessionConfiguration.ephemeral)
        let configure: URLSessionTransport.Configure = { configuration, session in
            if session.name == "images" { configuration.urlCache = .shared }
        }
        images.prepare(for: TransportSession("images"), configure)
        other.prepare(for: .shared, configure)
        #expect(images.urlCache === URLCache.shared)
        #expect(other.urlCache == nil)
    }

    @Test("the configuration of URLSession's sessions lets one store cookies and caches")
    func stored() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.prepare(for: .shared, Self.storing)
        #expect(configuration.urlCache != nil && configuration.httpCookieStorage != nil)
        #expect(configuration.httpShouldSetCookies)
    }

    @Test(
        "the configuration of URLSession's sessions never lets an ephemeral one store anything",
        arguments: [TransportSession.ephemeral, TransportSession("private", isEphemeral: true)])
    func ephemeral(session: TransportSession) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.prepare(for: session, Self.storing)
        #expect(configuration.urlCache == nil)
        #expect(configuration.httpCookieStorage == nil)
        #expect(configuration.httpCookieAcceptPolicy == .never)
        #expect(!configuration.httpShouldSetCookies)
        #expect(configuration.urlCredentialStorage == nil)
    }
}
