import Foundation
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

@Suite("An OAuth client")
struct OAuthClientTests {
    @Test("an OAuth client gets a client credential")
    func clientCredentials() async throws {
        let (client, transport) = client(.basic(secret: "s")) { _ in
            granted("own", #", "expires_in": 5, "scope": "less""#)
        }
        let credential = try await client.clientCredential(scopes: ["a", "b"])
        #expect(credential.token == "own")
        #expect(credential.scopes == ["less"])
        #expect(credential.expiry == Date(timeIntervalSince1970: 5))
        #expect(
            transport.requests.first?.form == ["grant_type": "client_credentials", "scope": "a b"])
        let refresher = ClientCredentialRefresher(client, parameters: ["audience": "api"])
        #expect(try await refresher.refresh(credential).token == "own")
        #expect(
            transport.requests.last?.form == [
                "grant_type": "client_credentials", "audience": "api",
            ])
        let error = await credentialError {
            _ = try await client.clientCredential(parameters: ["grant_type": "password"])
        }
        #expect(error?.reason == .invalidRequest)
    }

    @Test("an OAuth client authenticates as in RFC 6749, section 2.3.1")
    func basic() async throws {
        let transport = InMemoryTransport { _ in granted() }
        for (id, secret, expected) in [
            (
                "s6BhdRkqt3", "7Fjfp0ZBr1KtDRbnfVdmIw",
                "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3"
            ),
            ("a b:c", "ü%", "Basic " + Base64.standard("a+b%3Ac:%C3%BC%25".utf8)),
        ] {
            let client = OAuthClient(
                id: id, authentication: .basic(secret: secret), server: .test,
                transport: transport)
            _ = try await client.clientCredential()
            let sent = try #require(transport.requests.last)
            #expect(sent.head.headerFields[.authorization] == expected)
            #expect(sent.form == ["grant_type": "client_credentials"])
        }
    }

    @Test("an OAuth client sends its id in the form without a secret, or with a form secret")
    func form() async throws {
        let (open, first) = client { _ in granted() }
        _ = try await open.clientCredential()
        #expect(first.requests.last?.text == "grant_type=client_credentials&client_id=app")
        let (post, second) = client(.post(secret: "s&")) { _ in granted() }
        _ = try await post.clientCredential()
        #expect(second.requests.last?.form["client_secret"] == "s&")
        #expect(second.requests.last?.head.headerFields[.authorization] == nil)
    }

    @Test("an OAuth client refuses tokens of an unknown type, unless the server omits the type")
    func type() async throws {
        for reply in [#"{"access_token": "a"}"#, #"{"access_token": "a", "token_type": "mac"}"#] {
            let (strict, _) = client { _ in .json(reply) }
            let error = await credentialError { _ = try await strict.clientCredential() }
            #expect(error?.reason == .malformedReply)
            #expect(error?.description.contains("`token_type`") == true)
        }
        let server = OAuthServer(token: "https://id.test/token", reply: TokenReplyRules())
        let (lenient, _) = client(server: server) { _ in .json(#"{"access_token": "a"}"#) }
        #expect(try await lenient.clientCredential().token == "a")
    }

    @Test("an OAuth client accepts a custom token type only where the type is optional")
    func ownType() async {
        for demandsType in [true, false] {
            let server = OAuthServer(
                token: "https://id.test/token", reply: TokenReplyRules(demandsType: demandsType))
            let (client, _) = client(server: server) { _ in
                .json(#"{"access_token": "a", "token_type": "bot", "refresh_token": "second"}"#)
            }
            let old = Credential(token: "t", refreshToken: "first")
            let new = try? await client.refreshed(old)
            #expect(new?.refreshToken == (demandsType ? nil : "second"))
        }
    }

    @Test("an OAuth client does not require a login after a refusal without an error code")
    func refusedWithoutCode() async {
        let (client, _) = client(.basic(secret: "s")) { _ in .bytes(status: .unauthorized) }
        let error = await credentialError { _ = try await client.clientCredential() }
        #expect(error?.reason == .status(401))
        #expect(error?.needsLogin == false)
    }

    @Test("an OAuth client shows no parameter with a secret's name, even if the server repeats it")
    func secretParameters() async {
        let (client, _) = client { _ in .tokenRefusal("invalid_client", "no: hunter2 for a/b") }
        let parameters = ["client_secret": "hunter2", "audience": "a/b"]
        let error = await credentialError {
            _ = try await client.clientCredential(parameters: parameters)
        }
        #expect(error?.description.contains("no: ‹redacted› for a/b") == true)
        var dumped = ""
        dump(ClientCredentialRefresher(client, parameters: parameters), to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test("an OAuth client reports a wrong client secret")
    func refused() async {
        let (client, _) = client(.basic(secret: "s")) { _ in
            .json(#"{"error": "invalid_client"}"#, status: .unauthorized)
        }
        let error = await credentialError { _ = try await client.clientCredential() }
        #expect(error?.reason == .refused(.invalidClient))
        #expect(error?.needsLogin == false)
        #expect(error?.isTemporary == false)
    }
}
