import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting

/// A server that repeats the received secrets wherever a reply can contain them.
struct EchoServer: Sendable {
    enum Behaviour: CaseIterable, Sendable {
        /// A correct reply.
        case succeeds
        /// An error reply with a message and a code.
        case refuses
        /// A reply that violates the rules of its description.
        case breaksRules
        /// A reply that is not JSON and has secrets as keys.
        case writesNoJSON
        /// A redirect.
        case redirects
        /// A redirect to a host that contains a secret.
        case redirectsToSecret
        /// No reply: the connection fails and is diagnosed.
        case cannotBeReached
        /// A reply that ends early.
        case breaksOff
        /// The token has expired, and the refresh fails.
        case expires
        /// No request: the app's interceptor throws.
        case interceptorThrows
        /// No request: it violates the rules.
        case breaksRequestRules
    }

    /// An error of the app whose description contains secrets.
    struct LeakyError: Error, CustomStringConvertible {
        let description: String
    }

    let behaviour: Behaviour
    let testSecrets: BenchSecrets
    /// The round, which selects the spellings to use.
    let round: Int

    /// All planted secrets and the refresh token, unencoded.
    var words: String {
        (testSecrets.requestSecrets + [testSecrets.refreshToken]).joined(separator: " ")
    }

    /// The secrets that a refresher receives.
    var credentialSecrets: String {
        "\(testSecrets.token) \(testSecrets.refreshToken) \(testSecrets.value)"
    }

    private var encodedSecrets: String {
        testSecrets.requestSecrets.flatMap { secret in
            SecretEncodings.forms(secret).enumerated().filter { $0.offset % 3 == round % 3 }
                .map(\.element)
        }.joined(separator: " ")
    }

    /// The `Authorization` of a request with the token that this server issues.
    var newAuthorization: String { "Bearer \(testSecrets.newToken)" }

    /// The reply to a request for a new token.
    func tokenReply() throws(TransportError) -> TransportReply {
        switch behaviour {
        case .succeeds, .interceptorThrows, .breaksRequestRules:
            .json(receipt(of: testSecrets.newToken), fields: fields)
        default: try reply(1)
        }
    }

    /// The reply to a request with that token. It repeats the token, the only secret of the
    /// request.
    func replyToNew() -> TransportReply {
        .json(receipt(of: testSecrets.reply, note: testSecrets.newToken))
    }

    func reply(_ number: Int) throws(TransportError) -> TransportReply {
        switch behaviour {
        case .succeeds, .interceptorThrows, .breaksRequestRules:
            return .json(receipt(of: testSecrets.reply), fields: fields)
        case .refuses: return .json(refusal, status: .badRequest, fields: fields)
        case .breaksRules:
            let pins = Array(repeating: testSecrets.reply, count: 180).joined(separator: " ")
            return .json(receipt(of: pins), fields: fields)
        case .writesNoJSON:
            return .json(#"{"note":[{"\#(testSecrets.token)":nope \#(words)"#, fields: fields)
        case .redirects where number == 1, .redirectsToSecret where number == 1:
            return .json(refusal, status: .found, fields: fields)
        case .redirects, .redirectsToSecret:
            return .json(receipt(of: testSecrets.reply), fields: fields)
        case .cannotBeReached: throw TransportError(.cannotConnect, "cannot reach \(words)")
        case .breaksOff:
            let bytes = Array(receipt(of: testSecrets.reply).utf8)
            return .chunks(
                [bytes], length: bytes.count + 1, then: TransportError(.other, "lost \(words)"),
                fields: fields)
        case .expires: return .json(refusal, status: .unauthorized, fields: fields)
        }
    }

    private var fields: HTTPFields {
        let header = "\(testSecrets.token) \(testSecrets.header) \(testSecrets.cookie)"
        var fields: HTTPFields = [
            .setCookie: "sid=\(testSecrets.cookie); HttpOnly", .server: "echo \(header)",
            .location: location,
        ]
        if let name = HTTPField.Name("X-Request-ID") { fields[name] = testSecrets.token }
        return fields
    }

    private var location: String {
        behaviour == .redirectsToSecret
            ? "https://\(testSecrets.header).elsewhere.test/"
            : "/next/\(SecretEncodings.percent(words))?t=\(SecretEncodings.percent(testSecrets.header))"
    }

    private var refusal: String {
        text { json in
            json.key("error")
            json.beginObject()
            json.field("code", testSecrets.token)
            json.field("message", "no \(words) and \(encodedSecrets)")
            json.endObject()
        }
    }

    private func receipt(of pin: String, note: String? = nil) -> String {
        text { json in
            json.field("pin", pin)
            json.field("note", note ?? "\(words) and \(encodedSecrets)")
        }
    }

    private func text(_ members: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// An interceptor of the app whose error contains secrets.
struct LeakyInterceptor: Interceptor {
    let server: EchoServer

    func intercept(
        _ request: TransportRequest, of call: InterceptedCall, next: Next
    ) async throws -> TransportReply {
        guard server.behaviour == .interceptorThrows else { return try await next(request) }
        throw EchoServer.LeakyError(description: "not with \(server.words)")
    }
}
