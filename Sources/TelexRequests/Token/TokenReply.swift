import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A successful reply of a token server: a JSON object.
package struct TokenReply: Sendable {
    /// The maximum size of a reply in bytes; real replies have a few thousand bytes.
    package static let maximumBytes = 262_144

    /// The members of the object.
    package let members: JSONObject
    /// The keys that occur more than once; their last member counts.
    package let repeated: Set<String>

    private let place: String
    private let redactor: Redactor
    private let isRefresh: Bool

    /// Checks a reply.
    ///
    /// A reply with an `error` is a refusal, whatever its status: some servers send 200.
    ///
    /// - Parameter now: The current date, for a wait that the server gives as a date.
    /// - Throws: `CredentialError` if the reply is not a JSON object, or if it is a refusal.
    package init(
        _ reply: Reply, to request: TokenRequest, from place: String, at now: Date
    ) throws(CredentialError) {
        self.place = place
        isRefresh = request.isRefresh
        let read = Self.members(of: reply.body)
        let secrets = ReplySecrets(in: read ?? [], to: request)
        redactor = secrets.redactor(of: request, reply.head)
        members = JSONObject(read ?? [])
        repeated = Self.repeated(read ?? [])
        guard !(300...399).contains(reply.status) else {
            throw CredentialError(
                .redirected(status: reply.status),
                "\(place) redirected (status \(reply.status)), which is not followed with secrets "
                    + "attached; use the address that it leads to")
        }
        if var refusal = refusal(reply, to: request) {
            if refusal.isTemporary {
                // A wait in the body is more specific than one in a header field.
                refusal.retryAfter =
                    request.refusals?.wait(in: reply.body) ?? Self.wait(in: reply, now: now)
            }
            throw refusal
        }
        guard read != nil else { throw malformed("is not a JSON object") }
    }

    /// Returns the error for an invalid reply.
    package func malformed(_ why: String) -> CredentialError {
        CredentialError(.malformedReply, "the reply of \(place) \(why)")
    }

    /// Returns the members of an object, including duplicates; `nil` if the bytes are not an
    /// object.
    package static func members(of bytes: [UInt8]) -> [JSONObject.Member]? {
        let limits = JSONLimits(bytes: maximumBytes, depth: 16)
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

    /// Returns the time to wait that the header fields contain; for status 429, rate-limit fields
    /// count, too.
    private static func wait(in reply: Reply, now: Date) -> Duration? {
        let fields = reply.head.headerFields
        return reply.status == 429
            ? RetryAfter.retryDelay(fields, now: now) : RetryAfter.wait(fields, now: now)
    }

    // MARK: Refusals

    /// Returns the refusal in a reply: in the format of OAuth (RFC 6749, section 5.2), or else in
    /// the API's own format; `nil` if there is none.
    private func refusal(_ reply: Reply, to request: TokenRequest) -> CredentialError? {
        let status = reply.status
        // `Optional.none` rather than `nil`, which here could also mean JSON's `null`.
        let error = members["error"].flatMap { $0.meansNoError ? Optional.none : $0 }
        let own = ownRefusal(reply, to: request)
        if let code = error?.asString, own?.code == nil || OAuthErrorCode(rawValue: code).isKnown {
            let refusal = CredentialError(
                refusedBy: place, code: code, words: members["error_description"]?.asString,
                hiding: redactor)
            guard Self.isNotACode(code, with: status) else { return refusal }
            return self.refusal(status, "\(refusal.message) (status \(status))")
        }
        if let rules = request.refusals, let own, let code = own.code {
            return CredentialError(
                refusedBy: place, code: code, isDeclared: rules.isRetryable(code), words: own.words,
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

    /// Returns the refusal in the API's own format; `nil` if there is none. A reply with a token is
    /// not a refusal.
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

    /// Returns the error for a refusal without a code.
    private func refusal(_ status: Int, _ message: String) -> CredentialError {
        guard isRefresh, status == 400 || status == 401 else {
            return CredentialError(.status(status), message)
        }
        return CredentialError(.status(status), message: "\(message); log in again", remedy: .login)
    }

    /// Whether the text in place of a code is not a code: the message of a failing server, or the
    /// name of the status, which many frameworks send.
    private static func isNotACode(_ text: String, with status: Int) -> Bool {
        if OAuthErrorCode(rawValue: text).isKnown { return false }
        let names = [400: "bad request", 401: "unauthorized"]
        return status == 429 || status >= 500 || names[status] == text.lowercased()
    }
}

extension JSONValue {
    /// Whether the value is one with which servers report that there is no error.
    fileprivate var meansNoError: Bool {
        kind == .null || asString == "" || asBool == false || numberText == "0"
    }
}
