import HTTPTypes
import TelexJSON

extension RequestTemplate {
    /// Which document is asked for, without what changes from call to call.
    ///
    /// - Parameters:
    ///   - credential: What gives the parameters that the caller leaves out.
    ///   - reader: Who asks; nil if the call carries no token.
    func downloadSource(
        on server: Address, _ credential: Credential?, readBy reader: Credential?
    ) throws(Violation) -> DownloadSource {
        var address = try address(on: server, credential)
        for field in query where field.isSecret { address.remove(item: field.name) }
        let facts = reader.map(facts)
        return DownloadSource(
            address: address,
            choice: headerChoice(credential) + (facts.map { "\n\($0)" } ?? ""),
            hasParts: endpoint.method == .get && isBodiless,
            // The documents of two people may have one date, and only they tell them apart.
            trustsDates: reader.map { $0.namesPerson || $0.login != nil } ?? true)
    }

    /// The header fields by which the server may choose a document (RFC 9110, section 12.5.5): all
    /// that may be seen.
    private func headerChoice(_ credential: Credential?) -> String {
        let key = endpoint.operation.idempotencyKey?.lowercased()
        var lines: [String] = []
        for field in headers
        where !field.isSecret && !field.isSecretInHeader && field.name.lowercased() != key {
            // No value of a header field has a line end.
            for pair in field.pairs(credential) {
                lines.append("\(pair.name.lowercased()): \(pair.value)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Facts that came with a token, by which one person is told from another: those that the request
    /// uses, and those that name somebody, or else the login. The token is another one after each refresh,
    /// and so may be every other fact, such as a time.
    private func facts(_ credential: Credential) -> String {
        let used = Set((path + query + headers).compactMap(\.credentialKey))
        let facts = credential.values.filter { name, _ in
            used.contains(name) && !Redactor.isSuspicious(name) || Credential.namesPerson(name)
        }
        let login = credential.namesPerson ? [] : credential.login.map { ["login \($0)"] } ?? []
        return (facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } + login)
            .joined(separator: "\n")
    }

    /// Whether it sends nothing besides its head, the token aside.
    private var isBodiless: Bool {
        guard case .none = body else { return false }
        return form.isEmpty
    }

    /// Whether it asks for a part by itself.
    var asksForPart: Bool { headers.contains { $0.name.lowercased() == "range" } }

    /// What is wrong with it as a download: it asks for a part by itself, which would then be taken
    /// for the whole.
    var partProblems: [Violation] {
        headers.filter { ["range", "if-range"].contains($0.name.lowercased()) }.map { field in
            Violation(
                path: field.name, rule: "header",
                expected: "no such field: a download asks for what is missing by itself",
                found: field.isHidden ? Redactor.mark : field.pairs.first?.value ?? "nothing")
        }
    }
}
