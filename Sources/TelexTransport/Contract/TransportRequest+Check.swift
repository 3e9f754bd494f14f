import HTTPTypes

extension TransportRequest {
    /// Whether the server may get the request twice: the method is idempotent (RFC 9110, 9.2.2), or
    /// the request says so.
    package var mayBeSentTwice: Bool {
        let idempotent: [HTTPRequest.Method] = [.get, .head, .options, .trace, .put, .delete]
        return isRepeatable || idempotent.contains(head.method)
    }

    /// Checks that the request can be sent exactly as it is. Every transport calls this first,
    /// because HTTP libraries tend to drop or repair invalid parts silently.
    ///
    /// - Throws: `.invalidRequest` if the scheme is neither `http` nor `https`, the authority is
    ///   missing or has more than a host and a port, the path does not begin with `/` or has
    ///   characters that must be percent-encoded (RFC 3986, 3.3 and 3.4) or segments `.` or `..`, a
    ///   header value has a control character or begins or ends with a space (RFC 9110, 5.5), or a
    ///   header field that only the transport may set is present.
    public func check() throws(TransportError) {
        try checkAddress()
        for field in head.headerFields { try field.check() }
    }

    private func checkAddress() throws(TransportError) {
        guard let scheme = head.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw .invalidRequest("the scheme `\(head.scheme ?? "")` is neither http nor https")
        }
        guard let authority = head.authority, authority.utf8.contains(where: { $0 != 0x3A }),
            authority.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#@\\".utf8.contains($0) })
        else { throw .invalidRequest("`\(head.authority ?? "")` is not a host with a port") }
        guard authority.hasValidPort else {
            throw .invalidRequest("`\(authority)` has an invalid port after its host")
        }
        guard let path = head.path, path.utf8.first == 0x2F,
            path.utf8.allSatisfy({
                $0 > 0x20 && $0 < 0x7F && !"\"#<>[\\]^`{|}".utf8.contains($0)
            }),
            path.hasValidPercentEscapes
        else { throw .invalidRequest("the path is not an absolute, percent-encoded path") }
        guard !path.hasDotSegments else {
            throw .invalidRequest("the path has a segment `.` or `..`")
        }
    }
}

extension HTTPField {
    /// Makes a header field from text of unknown origin. `HTTPField(name:value:)` replaces invalid
    /// characters with spaces instead, which would send another value than intended.
    ///
    /// - Throws: `.invalidRequest` if `name` is not a token (RFC 9110, 5.6.2) or `value` has a line
    ///   break or another control character, or begins or ends with white space.
    public static func checked(
        _ name: String, _ value: String
    ) throws(TransportError) -> HTTPField {
        guard let fieldName = Name(name) else {
            throw .invalidRequest("`\(name)` is not the name of a header field")
        }
        guard isValidValue(value) else {
            throw .invalidRequest(
                "the value of the header field `\(name)` has a control character or white space "
                    + "at its ends")
        }
        return HTTPField(name: fieldName, value: value)
    }

    fileprivate func check() throws(TransportError) {
        if Self.ownedByTransport.contains(name.canonicalName) {
            throw .invalidRequest("the header field `\(name)` is set by the transport")
        }
        let isClean = withUnsafeBytesOfValue { bytes in
            bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }
        guard isClean, value.utf8.first != 0x20, value.utf8.last != 0x20 else {
            throw .invalidRequest(
                "the value of the header field `\(name)` has a control character or white space "
                    + "at its ends")
        }
    }

    /// The fields that frame the message or route it (RFC 9110, 7.2 and 7.6; RFC 9112, 6).
    private static let ownedByTransport: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}

extension String {
    /// Whether the path has segments that normalization would remove (RFC 3986, 6.2.2.3), so that a
    /// parameter `..` would call another method.
    fileprivate var hasDotSegments: Bool {
        prefix { $0 != "?" }.split(separator: "/").contains { $0 == "." || $0 == ".." }
    }

    /// Whether each `%` is followed by two hexadecimal digits.
    fileprivate var hasValidPercentEscapes: Bool {
        utf8.split(separator: 0x25, omittingEmptySubsequences: false).dropFirst().allSatisfy {
            $0.count >= 2
                && $0.prefix(2).allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
        }
    }
}

extension TransportError {
    /// An error for a request that cannot be sent, because of `reason`.
    public static func invalidRequest(_ reason: String) -> TransportError {
        TransportError(.invalidRequest, reason)
    }
}
