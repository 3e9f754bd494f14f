import TelexJSON
public import TelexRuntime

/// Digest authentication (RFC 7616), for servers such as cameras and routers that ask for it: an
/// interceptor of a manager whose spec has `auth: none` for these methods.
///
/// ```swift
/// let digest = try DigestAuthentication(user: "admin", password: password)
/// let camera = APIManager<Camera>(transport: .urlSession) { $0.interceptors = [digest] }
/// ```
///
/// The password is never sent. The first request of each origin is refused by the server, which
/// asks with it; then the request is sent again, and later ones are authenticated at once. A body
/// from a stream cannot be sent twice, so another request has to come before it. The algorithms are
/// SHA-256 and MD5, with `qop=auth`, which does not protect bodies: only `https` does. A request
/// that has left the origin of the API's server is not authenticated.
public final class DigestAuthentication: Interceptor {
    private let user: String
    private let password: String
    private let random: @Sendable () -> [UInt8]
    /// The last challenges, by origin.
    private let known = Lock<[String: DigestChallenge]>([:])

    /// Makes an interceptor.
    ///
    /// - Throws: A `CredentialError` with the reason `.invalidRequest` if the name contains a colon,
    ///   which would end it, or if one of both contains a control character.
    public convenience init(user: String, password: String) throws(CredentialError) {
        // The rules are those of `Basic`.
        _ = try Credential(user: user, password: password)
        self.init(user, password, random: SecureBytes.random)
    }

    init(_ user: String, _ password: String, random: @escaping @Sendable () -> [UInt8]) {
        self.user = user
        self.password = password
        self.random = random
    }

    /// Sends the request with the answer to the last challenge, and again if there is a new one.
    public func intercept(
        _ request: TransportRequest, of call: InterceptedCall, next: Next
    ) async throws -> TransportReply {
        guard !call.leavesOrigin else { return try await next(request) }
        let first = answer(for: request)
        let reply = try await next(first.map(request.authorized) ?? request)
        guard let challenge = DigestChallenge.best(of: reply.challenges) else { return reply }
        // The password is wrong if the server refuses the answer to a challenge that is not stale.
        guard first == nil || challenge.isStale else {
            known.withLock { $0[request.origin] = nil }
            return reply
        }
        known.withLock { $0[request.origin] = challenge }
        guard let second = answer(for: request) else { return reply }
        reply.body.cancel()
        return try await next(request.authorized(by: second))
    }

    /// Returns the value of `Authorization`; nil if there is no challenge yet.
    private func answer(for request: TransportRequest) -> String? {
        // Each answer to a challenge has its own number.
        let challenge = known.withLock { known -> DigestChallenge? in
            known[request.origin]?.count += 1
            return known[request.origin]
        }
        let nonce = Base64.standard(random())
        return challenge?.answer(
            user: user, password: password, method: request.head.method.rawValue,
            target: request.head.path ?? "/", clientNonce: nonce)
    }
}

/// The challenge of a server (RFC 7616, section 3.3).
struct DigestChallenge: Sendable {
    private enum Algorithm: String {
        case sha256 = "SHA-256"
        case md5 = "MD5"

        func hash(_ text: String) -> String {
            let bytes = Array(text.utf8)
            let digest = self == .md5 ? MD5.digest(bytes) : SecureBytes.digest(bytes)
            return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    private let algorithm: Algorithm
    private let realm: String
    private let nonce: String
    private let opaque: String?
    /// Whether the server refuses only the age of the last challenge.
    let isStale: Bool
    /// The number of answers.
    var count = 0

    /// Returns the strongest challenge that can be answered; nil for none.
    static func best(of fields: [String]) -> DigestChallenge? {
        let all = fields.flatMap(DigestParameters.challenges).compactMap(DigestChallenge.init)
        return all.first { $0.algorithm == .sha256 } ?? all.first
    }

    private init?(_ parameters: [String: String]) {
        let name = parameters["algorithm"]?.uppercased() ?? Algorithm.md5.rawValue
        let qualities = parameters["qop"]?.split(whereSeparator: { ", ".contains($0) }) ?? []
        guard let algorithm = Algorithm(rawValue: name), let realm = parameters["realm"],
            let nonce = parameters["nonce"],
            qualities.contains(where: { $0.lowercased() == "auth" })
        else { return nil }
        self.algorithm = algorithm
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// Returns the value of `Authorization` (RFC 7616, section 3.4).
    func answer(
        user: String, password: String, method: String, target: String, clientNonce: String
    ) -> String {
        let number = String(count, radix: 16)
        let nc = String(repeating: "0", count: max(8 - number.utf8.count, 0)) + number
        let account = algorithm.hash("\(user):\(realm):\(password)")
        let request = algorithm.hash("\(method):\(target)")
        let response = algorithm.hash("\(account):\(nonce):\(nc):\(clientNonce):auth:\(request)")
        let isPlain = user.utf8.allSatisfy { $0 < 0x80 }
        let name =
            isPlain
            ? "username=\(Self.quoted(user))"
            : "username*=UTF-8''\(PercentEncoding.component(user))"
        var items = [
            name, "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))",
            "uri=\(Self.quoted(target))", "algorithm=\(algorithm.rawValue)",
            "response=\"\(response)\"", "qop=auth", "nc=\(nc)",
            "cnonce=\(Self.quoted(clientNonce))",
        ]
        if let opaque { items.append("opaque=\(Self.quoted(opaque))") }
        return "Digest " + items.joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}

/// The parameters of challenges in a value of `WWW-Authenticate` (RFC 9110, section 11.6.1).
enum DigestParameters {
    /// The longest value that is read.
    private static let longest = 8192

    /// Returns the parameters of the `Digest` challenges, by their names in lower case.
    static func challenges(in field: String) -> [[String: String]] {
        guard field.utf8.count <= longest else { return [] }
        var found: [[String: String]] = []
        var isDigest = false
        for item in field.parts(at: ",") {
            let (words, value) = item.parameter
            // The name of a scheme precedes the first parameter of its challenge.
            let name = words.split(separator: " ")
            if name.count > 1 {
                isDigest = name[0].lowercased() == "digest"
                if isDigest { found.append([:]) }
            }
            guard isDigest, let value, let key = name.last?.lowercased() else { continue }
            if found[found.count - 1][key] == nil { found[found.count - 1][key] = value }
        }
        return found
    }
}
