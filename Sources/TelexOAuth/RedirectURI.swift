import TelexRuntime

/// The address to which the browser is redirected after a login.
enum RedirectURI {
    /// The parameters that servers add (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207, section 2).
    private static let answers: Set<String> = [
        "code", "state", "error", "error_description", "error_uri", "iss",
    ]

    /// Checks that a redirect address is valid, and that the answer is not sent over an insecure
    /// connection.
    ///
    /// - Throws: `.invalidRequest` if the address is not absolute, has a fragment (RFC 6749,
    ///   section 3.1.2), contains a parameter that answers have (section 3.1), or is `http` and not
    ///   on this machine (RFC 8252, section 7.3).
    static func check(_ text: String) throws(CredentialError) {
        guard let colon = text.firstIndex(of: ":"), isScheme(text[..<colon]),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else {
            throw CredentialError(
                .invalidRequest,
                "`\(Address.masked(text).excerpt())` is not an absolute address without a "
                    + "fragment")
        }
        if let double = names(in: text).first(where: answers.contains) {
            throw CredentialError(
                .invalidRequest,
                "the redirect address has a parameter `\(double)` of its own, which the answer to a "
                    + "login would have twice")
        }
        guard ["http", "https"].contains(text[..<colon].lowercased()) else { return }
        _ = try Address(secure: text, "the redirect address")
    }

    /// Returns the code in the answer to a request.
    ///
    /// The state is checked first: an answer with a wrong state was not requested, so nothing in it
    /// is used or shown.
    static func code(
        in redirect: String, for request: AuthorizationRequest
    ) throws(CredentialError) -> String {
        guard redirect.utf8.count <= 65_536, isSamePlace(redirect, request.redirectURI) else {
            throw invalid("the browser was redirected to another address than the redirect address")
        }
        let items = items(of: redirect)
        guard let state = try value("state", in: items),
            state.isEqualInConstantTime(to: request.state)
        else {
            throw invalid(
                "the redirect has a wrong `state`: this is not the answer to this login, "
                    + "and may be an attack")
        }
        // Only the server that issued a code may receive it (RFC 9207, section 2.4).
        if let issuer = request.issuer, try value("iss", in: items) != issuer {
            throw invalid(
                "the redirect comes from another server than "
                    + "`\(Address.masked(issuer))`, going by `iss`: this may be an attack")
        }
        if let error = try value("error", in: items) {
            let words = try value("error_description", in: items)
            throw CredentialError(
                refusedBy: "the authorization server", code: error, words: words,
                hiding: redactor(for: request, items))
        }
        guard let code = try value("code", in: items), !code.isEmpty else {
            throw invalid("the redirect has no `code`")
        }
        return code
    }

    // MARK: The parts of an address

    /// The names of the query parameters of an address.
    static func names(in address: String) -> [String] {
        items(of: address).map(\.name)
    }

    /// Whether the text is a URI scheme: a letter, followed by letters, digits and `+-.` (RFC 3986,
    /// section 3.1).
    private static func isScheme(_ text: Substring) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        return text.utf8.first.map(isLetter) ?? false
            && text.utf8.allSatisfy { isLetter($0) || "0123456789+-.".utf8.contains($0) }
    }

    /// Whether both addresses are equal except for their parameters and the normalisation of
    /// browsers: the case of the scheme, and, for web addresses, the case of the host, the default
    /// port and an empty path (RFC 3986, section 6.2.3).
    private static func isSamePlace(_ one: String, _ other: String) -> Bool {
        place(one) == place(other)
    }

    private static func place(_ text: String) -> String {
        let place = text.prefix { $0 != "?" && $0 != "#" }
        if let address = Address(String(place)) {
            let origin = address.origin
            return "\(origin.scheme)://\(origin.host):\(origin.port)\(address.path)"
        }
        let scheme = place.prefix { $0 != ":" }
        return scheme.lowercased() + place.dropFirst(scheme.count)
    }

    /// The query parameters of an address.
    static func items(of address: String) -> [(name: String, value: String)] {
        let query = address.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return (
                PercentEncoding.decodeForm(name),
                PercentEncoding.decodeForm(item.dropFirst(name.count).dropFirst())
            )
        }
    }

    /// Returns the value of a parameter. A duplicate parameter is an error because it is ambiguous
    /// (RFC 6749, section 3.1).
    private static func value(
        _ name: String, in items: [(name: String, value: String)]
    ) throws(CredentialError) -> String? {
        let values = items.filter { $0.name == name }
        guard values.count < 2 else {
            throw invalid("the redirect has `\(name)` more than once")
        }
        return values.first?.value
    }

    // MARK: Errors

    private static func invalid(_ why: String) -> CredentialError {
        CredentialError(.invalidRedirect, why)
    }

    /// Returns a redactor of the secrets of a login and its answer, which the server's message may
    /// repeat (RFC 6749, section 4.1.2.1).
    private static func redactor(
        for request: AuthorizationRequest, _ items: [(name: String, value: String)]
    ) -> Redactor {
        let named = items.filter { $0.name == "code" || Redactor.isSuspicious($0.name) }
        return (request.secrets + named.map(\.value)).reduce(into: Redactor()) { $0.hide($1) }
    }
}
