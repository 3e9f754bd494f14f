import HTTPTypes
import TelexInspection
import TelexJSON
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a token server said, if it said yes: a JSON object.
package struct TokenReply: Sendable {
    /// The members of the object.
    package let members: JSONObject
    /// The keys of members that are there more than once, of which the last counts.
    let repeated: Set<String>

    private let place: String
    private let redactor: Redactor
    private let isRefresh: Bool

    /// Judges a reply.
    ///
    /// A reply with an `error` is a refusal whatever its status: some servers send 200.
    ///
    /// - Parameter now: The time of day, for a server that says until when it is to be left alone.
    /// - Throws: `CredentialError` if it is no JSON object, or a refusal.
    init(
        _ reply: Reply, to request: TokenRequest, from place: String, at now: Date
    ) throws(CredentialError) {
        self.place = place
        isRefresh = request.isRefresh
        let read = Self.members(of: reply.body)
        let secrets = ReplySecrets(in: read ?? [], to: request)
        redactor = request.redactor(with: secrets, of: reply.head)
        members = JSONObject(read ?? [])
        repeated = Self.repeated(read ?? [])
        guard !(300...399).contains(reply.status) else {
            throw CredentialError(
                .redirected(status: reply.status),
                "\(place) redirected (status \(reply.status)), which is not followed with secrets "
                    + "in hand; use the address that it leads to")
        }
        if var refusal = refusal(reply, to: request) {
            if refusal.isTemporary {
                // Whoever says it in the body says it better than a field.
                refusal.retryAfter =
                    request.refusals?.wait(in: reply.body) ?? Self.wait(in: reply, now: now)
            }
            throw refusal
        }
        guard read != nil else { throw malformed("is no JSON object") }
    }

    /// The error for a reply that is not as it has to be.
    package func malformed(_ why: String) -> CredentialError {
        CredentialError(.malformedReply, "the reply of \(place) \(why)")
    }

    /// The members of an object, also those that are there more than once; nil if it is none.
    static func members(of bytes: [UInt8]) -> [JSONObject.Member]? {
        let limits = JSONLimits(bytes: TokenEndpoint.maximumReplyBytes, depth: 16)
        let result = JSONReader.read(bytes, limits: limits) { json -> [JSONObject.Member]? in
            guard json.beginMap() else { return nil }
            var members: [JSONObject.Member] = []
            while let key = json.nextKey() {
                guard let value: JSONValue = json.value() else { continue }
                members.append(JSONObject.Member(key: key, value: value))
            }
            return json.endMap() ? members : nil
        }
        return result.report.isValid ? result.value : nil
    }

    private static func repeated(_ members: [JSONObject.Member]) -> Set<String> {
        var seen: Set<String> = []
        return Set(members.map(\.key).filter { !seen.insert($0).inserted })
    }

    /// How long a reply asks to wait; one that there are too many requests also by its rate.
    private static func wait(in reply: Reply, now: Date) -> Duration? {
        let fields = reply.head.headerFields
        return reply.status == 429
            ? RetryAfter.busyWait(fields, now: now) : RetryAfter.wait(fields, now: now)
    }

    // MARK: Refusals

    /// The server's no: as OAuth has it (RFC 6749, section 5.2), or else as the API has it.
    private func refusal(_ reply: Reply, to request: TokenRequest) -> CredentialError? {
        let status = reply.status
        // Not `nil`, which is also a way to write JSON's null.
        let error = members["error"].flatMap { $0.saysNothing ? Optional.none : $0 }
        let own = ownRefusal(reply, to: request)
        if let code = error?.asString, own?.code == nil || OAuthErrorCode(rawValue: code).isKnown {
            let refusal = CredentialError(
                refusedBy: place, code: code, words: members["error_description"]?.asString,
                hiding: redactor)
            guard Self.isNoCode(code, with: status) else { return refusal }
            return self.refusal(status, "\(refusal.message) (status \(status))")
        }
        if let rules = request.refusals, let own, let code = own.code {
            return CredentialError(
                refusedBy: place, code: code, isDeclared: rules.mayPass(code), words: own.words,
                hiding: redactor, remedy: rules.remedy(after: code, with: status), isOfAPI: true)
        }
        let isSuccess = (200...299).contains(status)
        guard error != nil || own != nil || !isSuccess else { return nil }
        let words = CredentialError.saying(own?.words, hiding: redactor)
        let token = request.rules.token.joined(separator: ".").excerpt()
        let missing = isSuccess && error == nil ? ", and has no `\(token)`" : ""
        return self.refusal(
            status, "\(place) refused without a code for why (status \(status))\(missing)\(words)")
    }

    /// The no of a server of the API; nil if it is none. A reply that brings a token is none.
    private func ownRefusal(
        _ reply: Reply, to request: TokenRequest
    ) -> TokenRefusalRules.Refusal? {
        guard let rules = request.refusals, value(at: request.rules.token) == nil else {
            return nil
        }
        let refusal = rules.refusal(in: reply.body)
        guard (200...299).contains(reply.status) else { return refusal }
        return rules.refuses(reply.body, refusal) ? refusal : nil
    }

    /// The error for a no that says no more than its status.
    private func refusal(_ status: Int, _ message: String) -> CredentialError {
        guard isRefresh, status == 400 || status == 401 else {
            return CredentialError(.status(status), message)
        }
        return CredentialError(.status(status), "\(message); log in again", remedy: .login)
    }

    /// Whether a text in the place of a code is none: what a server has to say that is down, or the
    /// name of the status, which many frameworks put there.
    private static func isNoCode(_ text: String, with status: Int) -> Bool {
        if OAuthErrorCode(rawValue: text).isKnown { return false }
        let names = [400: "bad request", 401: "unauthorized"]
        return status == 429 || status >= 500 || names[status] == text.lowercased()
    }
}

extension JSONValue {
    /// Whether it is how servers say that there is no error.
    fileprivate var saysNothing: Bool {
        kind == .null || asString == "" || asBool == false || numberText == "0"
    }
}
