import TelexDownloads
import TelexInspection
import TelexJSON
import TelexTransport
import TelexValues

extension APIError {
    /// Redacts secrets in all texts of the error, whatever their origin.
    ///
    /// - Parameter isKnown: Whether the API's description declares a code; such a code is not
    ///   redacted, even if it equals a secret. Other codes are redacted, but not for very short
    ///   secrets, because a one-digit PIN would match most codes.
    mutating func redact(
        _ redactor: Redactor, sparing isKnown: (_ code: String) -> Bool = { _ in false }
    ) {
        reason = reason.redacted(redactor)
        message = message.map { redactor.redact(beginningOf: $0) }
        code = code.map {
            isKnown($0) ? $0 : redactor.withoutShortSecrets.redact(beginningOf: $0)
        }
        requestID = requestID.map { redactor.redact(beginningOf: $0) }
        violations = violations.map { $0.redacted(redactor) }
        contents.replyStart = contents.replyStart.map(redactor.redactCut) ?? replyStart(redactor)
    }

    /// The size of the largest reply that an error describes by its beginning.
    private static let longestReply = 8_192

    /// The beginning of a reply that refuses the call without a message, without known secrets and
    /// values with the name of a secret; nil for another error, and for a reply that is neither JSON
    /// nor plain text. Of a page of HTML, it is the title.
    private func replyStart(_ redactor: Redactor) -> String? {
        switch reason {
        case .status, .refused, .failedState, .credentialRefused: break
        default: return nil
        }
        guard message == nil, let text = describedBody,
            let shown = redactor.text(of: Array(text.utf8), type: "text/plain")
        else { return nil }
        let line = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if ["", "{}", "[]", "null"].contains(line) { return nil }
        return line.count > 600 ? line.prefix(600) + "…" : line
    }

    /// The reply, if it is short and plain text or JSON, or the title of a page of HTML.
    private var describedBody: String? {
        let body = contents.body
        if contents.mediaType == "text/html" || body.beginAsHTML {
            return String(decoding: body.prefix(Self.longestReply), as: UTF8.self).htmlTitle
        }
        guard contents.mediaType ?? "text/plain" == "text/plain", body.count <= Self.longestReply,
            !body.contains(where: { $0 < 0x20 && !"\t\n\u{0C}\r\u{1B}".utf8.contains($0) })
        else { return nil }
        return String(validUTF8: body[...])
    }
}

extension String {
    /// The title of a page of HTML; nil if it has none.
    fileprivate var htmlTitle: String? {
        let tags = split(separator: "<", omittingEmptySubsequences: false)
        let title = tags.first { tag in
            let name = tag.prefix { $0 != ">" && !$0.isWhitespace }
            return name.lowercased() == "title"
        }
        return title.map { String($0.drop { $0 != ">" }.dropFirst()) }
    }
}

extension APIError.Reason {
    fileprivate func redacted(_ redactor: Redactor) -> APIError.Reason {
        switch self {
        case .transport(var error):
            error.message = redactor.redact(error.message)
            return .transport(error)
        case .malformedReply(var problem):
            problem.path = redactor.withoutShortSecrets.redact(problem.path)
            return .malformedReply(problem)
        case .download(let error):
            guard case .wrongRange(let first, let found) = error.reason else { return self }
            let shown = found.map(redactor.redactCut)
            return .download(
                DownloadError(
                    error.path, reason: .wrongRange(expectedFirst: first, found: shown),
                    canContinue: error.canContinue))
        case .intercepted(let why): return .intercepted(redactor.redact(why))
        case .refusedRedirect(let why): return .refusedRedirect(redactor.redact(why))
        case .refreshFailed(let why): return .refreshFailed(redactor.redact(why))
        default: return self
        }
    }
}

extension Violation {
    /// The violation without secrets. Its path and its expectation are mostly words of the spec, which
    /// very short secrets would garble, and which would tell them.
    func redacted(_ redactor: Redactor) -> Violation {
        var violation = self
        violation.path = redactor.withoutShortSecrets.redact(path)
        violation.expected = redactor.withoutShortSecrets.redact(expected)
        violation.found = redactor.redactCut(found)
        violation.message = message.map(redactor.redact)
        return violation
    }
}
