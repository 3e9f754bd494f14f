import HTTPTypes
import TelexRequests
import TelexTransport

/// Follows or refuses redirects (RFC 9110, section 15.4).
extension Exchange {
    /// Returns the next request of a redirect; nil if the reply is final.
    ///
    /// - Throws: `refusedRedirect` if the redirect must not be followed.
    @inline(never)
    func redirect(_ reply: TransportReply, _ hop: Hop) throws(APIError) -> Hop? {
        let status = reply.head.status.code
        guard [301, 302, 303, 307, 308].contains(status) else { return nil }
        let locations = reply.head.headerFields.locations
        guard let location = locations.first else { return nil }
        reply.body.cancel()
        guard locations.allSatisfy({ $0 == location }) else {
            throw refused("it has several different addresses")
        }
        guard let address = hop.address.resolving(location) else {
            throw refused("its address is not an http or https address")
        }
        guard address.scheme == "https" || hop.address.scheme == "http" else {
            throw refused("it leads from https to http, which is not encrypted")
        }
        let becomesGet =
            status == 303 && hop.method != .head || status <= 302 && hop.method == .post
        let next = Hop(
            becomesGet ? .get : hop.method, to: address, sendsBody: hop.sendsBody && !becomesGet,
            wasRedirectedAway: hop.wasRedirectedAway, redactedHost: hop.redactedHost,
            isRedirected: true)
        guard !next.sendsBody || !template.isConsumed else {
            throw refused(
                "it needs a stream again that has already been read; \(UploadStream.remedy)")
        }
        guard address.origin != hop.address.origin else { return next }
        return try crossOriginHop(next)
    }

    /// Removes everything that only the first origin may receive.
    func crossOriginHop(_ hop: Hop) throws(APIError) -> Hop {
        guard !hop.sendsBody || !template.hasSensitiveBody else {
            throw refused("it would send a sensitive body to \(hop.address.authority)")
        }
        var address = hop.address
        if case .query(let name) = call.placement { address.remove(item: name) }
        for field in template.query where field.isHidden || field.credentialKey != nil {
            let names = field.pairs(call.credential).map(\.name) + [field.name]
            for name in names { address.remove(item: name) }
        }
        guard
            !template.containsSecret(
                in: address, credential: call.credential, placement: call.placement)
        else {
            throw refused("its address would send a secret to \(address.authority)")
        }
        return Hop(
            hop.method, to: address, sendsBody: hop.sendsBody, wasRedirectedAway: true,
            redactedHost: call.redactor.redact(address.origin.host),
            isRedirected: hop.isRedirected)
    }

    private func refused(_ why: String) -> APIError {
        call.failure(in: .receive, reason: .refusedRedirect(why))
    }
}

extension HTTPFields {
    /// The addresses in all `Location` fields; there should be one (RFC 9110, section 10.2.2).
    fileprivate var locations: [String] { self[values: .location].flatMap(\.addresses) }
}

extension String {
    /// The addresses in a field value that a transport may have joined with a comma and a space.
    /// Each one begins like an address. Addresses contain no space, though some servers send one.
    fileprivate var addresses: [String] {
        var addresses: [String] = []
        var start = startIndex
        for range in ranges(of: ", ") where self[range.upperBound...].beginsAddress {
            addresses.append(String(self[start..<range.lowerBound]))
            start = range.upperBound
        }
        return addresses + [String(self[start...])]
    }
}

extension Substring {
    fileprivate var beginsAddress: Bool { hasPrefix("/") || namesServer }

    /// Whether it begins with a scheme and two slashes (RFC 3986, sections 3.1 and 3.2).
    private var namesServer: Bool {
        let scheme = utf8.prefix { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                || "+-.".utf8.contains(byte)
        }
        return !scheme.isEmpty && utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }
}
