import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting

/// A server that repeats the secrets that it was sent, wherever a reply can have them.
struct EchoServer: Sendable {
    enum Behaviour: CaseIterable, Sendable {
        /// A reply as it should be.
        case succeeds
        /// A reply that says no, in words and as a code.
        case refuses
        /// One that breaks the rules of its description.
        case breaksRules
        /// One that is no JSON, and whose keys are the secrets.
        case writesNoJSON
        /// A redirect.
        case redirects
        /// A redirect to a host of that name.
        case redirectsToSecret
        /// No reply: the network is to blame, and is diagnosed.
        case cannotBeReached
        /// A reply that ends early.
        case breaksOff
        /// The token is no longer good, and there is no other.
        case expires
        /// It is never asked: the app's interceptor refuses.
        case isIntercepted
        /// It is never asked: the request breaks rules.
        case isNotAsked
    }

    /// Somebody's error that says too much.
    struct Chatter: Error, CustomStringConvertible {
        let description: String
    }

    let behaviour: Behaviour
    let taints: BenchTaints
    /// Which of the spellings are used.
    let round: Int

    /// All secrets, as they are.
    var words: String { (taints.planted + [taints.refreshToken]).joined(separator: " ") }

    /// Those that whoever gets a new credential is told.
    var credentialWords: String {
        "\(taints.token) \(taints.refreshToken) \(taints.value)"
    }

    private var spelled: String {
        taints.planted.flatMap { secret in
            Spellings.forms(secret).enumerated().filter { $0.offset % 3 == round % 3 }
                .map(\.element)
        }.joined(separator: " ")
    }

    /// How a request carries the token that this server gives out.
    var newAuthorization: String { "Bearer \(taints.newToken)" }

    /// The reply to a request for a new token.
    func tokenReply() throws(TransportError) -> TransportReply {
        switch behaviour {
        case .succeeds, .isIntercepted, .isNotAsked:
            .json(receipt(of: taints.newToken), fields: fields)
        default: try reply(1)
        }
    }

    /// The reply to a request with that token: it repeats it, the one secret that it was sent.
    func replyToNew() -> TransportReply {
        .json(receipt(of: taints.reply, note: taints.newToken))
    }

    func reply(_ number: Int) throws(TransportError) -> TransportReply {
        switch behaviour {
        case .succeeds, .isIntercepted, .isNotAsked:
            return .json(receipt(of: taints.reply), fields: fields)
        case .refuses: return .json(refusal, status: .badRequest, fields: fields)
        case .breaksRules:
            let pins = Array(repeating: taints.reply, count: 180).joined(separator: " ")
            return .json(receipt(of: pins), fields: fields)
        case .writesNoJSON:
            return .json(#"{"note":[{"\#(taints.token)":nope \#(words)"#, fields: fields)
        case .redirects where number == 1, .redirectsToSecret where number == 1:
            return .json(refusal, status: .found, fields: fields)
        case .redirects, .redirectsToSecret: return .json(receipt(of: taints.reply), fields: fields)
        case .cannotBeReached: throw TransportError(.cannotConnect, "cannot reach \(words)")
        case .breaksOff:
            let bytes = Array(receipt(of: taints.reply).utf8)
            return .chunks(
                [bytes], length: bytes.count + 1, then: TransportError(.other, "lost \(words)"),
                fields: fields)
        case .expires: return .json(refusal, status: .unauthorized, fields: fields)
        }
    }

    private var fields: HTTPFields {
        let header = "\(taints.token) \(taints.header) \(taints.cookie)"
        var fields: HTTPFields = [
            .setCookie: "sid=\(taints.cookie); HttpOnly", .server: "echo \(header)",
            .location: location,
        ]
        if let name = HTTPField.Name("X-Request-ID") { fields[name] = taints.token }
        return fields
    }

    private var location: String {
        behaviour == .redirectsToSecret
            ? "https://\(taints.header).elsewhere.test/"
            : "/next/\(Spellings.percent(words))?t=\(Spellings.percent(taints.header))"
    }

    private var refusal: String {
        text { json in
            json.key("error")
            json.beginObject()
            json.field("code", taints.token)
            json.field("message", "no \(words) and \(spelled)")
            json.endObject()
        }
    }

    private func receipt(of pin: String, note: String? = nil) -> String {
        text { json in
            json.field("pin", pin)
            json.field("note", note ?? "\(words) and \(spelled)")
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

/// An interceptor of an app's that says too much.
struct ChattyInterceptor: Interceptor {
    let server: EchoServer

    func intercept(
        _ request: TransportRequest, of call: InterceptedCall, next: Next
    ) async throws -> TransportReply {
        guard server.behaviour == .isIntercepted else { return try await next(request) }
        throw EchoServer.Chatter(description: "not with \(server.words)")
    }
}
