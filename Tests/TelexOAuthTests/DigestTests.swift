import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexOAuth

@Suite("Digest authentication")
struct DigestTests {
    /// The challenges of RFC 7616, section 3.9.1.
    private static let challenges = ["SHA-256", "MD5"].map { algorithm in
        "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), "
            + "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", "
            + "opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
    }

    @Test(
        "digest authentication answers the examples of the standard",
        arguments: [
            (0, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            (1, "8ca523f5e9506fed4657c9700eebdbec"),
        ])
    func examples(_ index: Int, _ response: String) throws {
        var challenge = try #require(DigestChallenge.best(of: [Self.challenges[index]]))
        challenge.count = 1
        let answer = challenge.answer(
            user: "Mufasa", password: "Circle of Life", method: "GET", target: "/dir/index.html",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(answer.contains("response=\"\(response)\", qop=auth, nc=00000001"))
        #expect(answer.hasPrefix("Digest username=\"Mufasa\", realm=\"http-auth@example.org\""))
        #expect(answer.hasSuffix("opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""))
    }

    @Test("Digest authentication prefers the stronger of several challenges, in one field or more")
    func several() throws {
        let joined = "Basic realm=\"a, b\", " + Self.challenges.reversed().joined(separator: ", ")
        for fields in [Self.challenges.reversed(), [joined]] {
            let challenge = try #require(DigestChallenge.best(of: fields))
            let answer = challenge.answer(
                user: "a\"b", password: "p", method: "GET", target: "/", clientNonce: "c")
            #expect(answer.contains("algorithm=SHA-256"))
            #expect(answer.contains("username=\"a\\\"b\""))
        }
    }

    @Test(
        "digest authentication cannot answer other challenges",
        arguments: [
            "Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\"", "Digest", "",
            "Digest realm=\"a\", nonce=\"b\", qop=\"auth-int\"",
            "Digest realm=\"a\", nonce=\"b\", qop=\"auth\", algorithm=SHA-512-256",
            "Digest realm=\"a\", qop=\"auth\"", "Digest nonce=\"b", "=,=,\"",
        ])
    func others(_ field: String) {
        #expect(DigestChallenge.best(of: [field]) == nil)
    }

    private func get(_ manager: APIManager<PlainAPI>, _ path: String) async throws {
        _ = try await manager.operation(address: "https://camera.test/\(path)").value
    }

    @Test("Digest authentication resends a refused request, counts, and replaces a stale nonce")
    func calls() async throws {
        let transport = InMemoryTransport { request in
            let answer = request.head.headerFields[.authorization] ?? ""
            if answer.contains("nc=00000003") {
                return .bytes(
                    status: .unauthorized,
                    fields: [
                        .wwwAuthenticate:
                            "Digest realm=\"r\", nonce=\"second\", qop=\"auth\", stale=TRUE"
                    ])
            }
            guard answer.contains("nonce=\"") else {
                return .bytes(
                    status: .unauthorized,
                    fields: [.wwwAuthenticate: "Digest realm=\"r\", nonce=\"first\", qop=\"auth\""])
            }
            return .bytes()
        }
        let digest = try DigestAuthentication(user: "admin", password: "s3cret-w0rd")
        let manager = APIManager<PlainAPI>(transport: transport) {
            $0.interceptors = [digest]
        }
        for path in ["a", "b", "c"] { try await get(manager, path) }
        let answers = transport.requests.map { $0.head.headerFields[.authorization] ?? "" }
        #expect(answers.count == 5 && answers[0].isEmpty)
        for (answer, parts) in zip(
            answers.dropFirst(),
            [
                ("\"first\"", "nc=00000001", "/a"), ("\"first\"", "nc=00000002", "/b"),
                ("\"first\"", "nc=00000003", "/c"), ("\"second\"", "nc=00000001", "/c"),
            ])
        {
            #expect(answer.contains(parts.0) && answer.contains(parts.1))
            #expect(answer.contains("uri=\"\(parts.2)\""))
            #expect(!answer.contains("s3cret"))
        }
    }

    @Test("digest authentication gives up when the server refuses the password")
    func refused() async throws {
        let transport = InMemoryTransport { _ in
            .bytes(
                status: .unauthorized,
                fields: [.wwwAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        }
        let digest = try DigestAuthentication(user: "admin", password: "wrong")
        let manager = APIManager<PlainAPI>(transport: transport) {
            $0.interceptors = [digest]
        }
        await #expect(throws: APIError.self) { try await get(manager, "a") }
        #expect(transport.requests.count == 2)
    }
}

/// An API without methods.
private enum PlainAPI: APIDescription {
    struct Parameters: DefaultParameters {
        func apply(to request: inout RequestBuilder) {}
    }

    struct ErrorCode: OpenEnum {
        let rawValue: String

        init(rawValue: String) { self.rawValue = rawValue }

        static var allKnown: [ErrorCode] { [] }
    }

    struct APIMethod: APIMethodName {
        let rawValue: String
        var endpoint: Endpoint { Endpoint(.get, rawValue) }
    }

    static let definition = APIDefinition(
        name: "Plain", servers: [Server("main", "https://camera.test/")], retry: .never)
}
