import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

extension RequestTemplate {
    /// Returns the address of the request, without the token.
    ///
    /// - Throws: A violation if a path parameter has no value or a whole address is invalid.
    package func address(on server: Address, _ credential: Credential?) throws(Violation) -> Address
    {
        var address = try base(on: server, credential)
        // The reply that gave the address may have repeated a token of its own request.
        if isAddressFromReply {
            for field in query where field.isSensitive { address.remove(item: field.name) }
        }
        var items = address.query ?? ""
        for field in query {
            field.add(to: &items, credential: credential, encode: PercentEncoding.component)
        }
        if !items.isEmpty { address.query = items }
        return address
    }

    /// Returns the address without the query parameters.
    private func base(on server: Address, _ credential: Credential?) throws(Violation) -> Address {
        if isWholeAddress { return try whole(besides: server) }
        guard endpoint.path.utf8.contains(UInt8(ascii: "{")) else {
            return Self.join(server, PercentEncoding.address(endpoint.path[...]))
        }
        var text = ""
        for piece in PathTemplate(endpoint.path).pieces {
            switch piece {
            case .literal(let literal): text += PercentEncoding.address(literal[...])
            case .parameter(let name): text += try value(of: PathPlaceholder(name), credential)
            }
        }
        return Self.join(server, text)
    }

    /// Returns the whole address that the caller gave.
    private func whole(besides server: Address) throws(Violation) -> Address {
        let name = path.first?.name ?? "address"
        guard let address = wholeAddress else {
            throw problem(
                name, expected: "an http or https address without a user name",
                found: Redactor.mark)
        }
        guard address.scheme == "https" || server.scheme == "http" else {
            throw problem(
                name, expected: "an https address, like the server's", found: address.redacted)
        }
        return address
    }

    private func value(
        of placeholder: PathPlaceholder, _ credential: Credential?
    ) throws(Violation) -> String {
        let name = placeholder.name
        let field = path.first { $0.name == name }
        guard let field, let pair = field.pairs(credential).first else {
            throw problem(name, expected: "a value for the path parameter", found: "nothing")
        }
        // Only a value of the credential can be invalid here, because the caller's values were
        // checked when they were set.
        guard placeholder.allows(pair.value) || field.allowsEmpty && pair.value.isEmpty else {
            throw problem(
                name, expected: "a text that can be part of a path", found: "`\(pair.value)`")
        }
        return placeholder.encode(pair)
    }

    /// Appends a path to the server's path with one slash between them, and its query to the
    /// server's query.
    package static func join(_ server: Address, _ text: String) -> Address {
        let slash = UInt8(ascii: "/")
        let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
        let path = text.utf8[..<mark].drop { $0 == slash }
        let stem = server.path.utf8.last == slash ? server.path : server.path + "/"
        let query = [server.query ?? "", String(Substring(text.utf8[mark...].dropFirst()))]
        return Address(
            scheme: server.scheme, authority: server.authority,
            path: path.isEmpty ? server.path : stem + String(Substring(path)),
            query: mark == text.endIndex
                ? server.query : query.filter { !$0.isEmpty }.joined(separator: "&"))
    }

    private func problem(_ name: String, expected: String, found: String) -> Violation {
        Violation(path: name, rule: "path", expected: expected, found: found)
    }

    /// Returns `name=value`, encoded.
    package static func item(_ pair: RequestField.Pair, _ encode: (String) -> String) -> String {
        if pair.isBare { return encode(pair.name) }
        let texts = pair.texts.map(encode)
        let separator = PercentEncoding.separator(pair.separator)
        return "\(encode(pair.name))=\(texts.joined(separator: separator))"
    }
}

extension RequestField {
    /// Appends the field to the items of a query or a form.
    package func add(
        to items: inout String, credential: Credential?, encode: (String) -> String
    ) {
        func next() { if !items.isEmpty { items += "&" } }
        guard case .text(let text) = content else {
            for pair in pairs(credential) {
                next()
                items += RequestTemplate.item(pair, encode)
            }
            return
        }
        next()
        items += encode(name)
        items += "="
        items += encode(text)
    }
}
