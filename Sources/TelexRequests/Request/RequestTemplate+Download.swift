import HTTPTypes
import TelexCredentials
import TelexDownloads
import TelexInspection
import TelexJSON
import TelexTransport

extension RequestTemplate {
    /// Returns the identity of the requested document, without parts that differ between calls.
    ///
    /// - Parameters:
    ///   - credential: The source of the parameters that the caller omits.
    ///   - reader: The credential of the reader; nil if the call carries no token.
    package func downloadSource(
        on server: Address, credential: Credential?, reader: Credential?
    ) throws(Violation) -> DownloadSource {
        var address = try address(on: server, credential)
        for field in query where field.isSecret { address.remove(item: field.name) }
        let facts = reader.map(facts)
        return DownloadSource(
            address: address,
            choice: headerChoice(credential) + (facts.map { "\n\($0)" } ?? ""),
            supportsRanges: endpoint.method == .get && hasNoBody,
            // Documents of two users may have the same date, so dates are trusted only if the
            // reader can be told apart.
            acceptsDateValidator: reader.map { $0.identifiesUser || $0.login != nil } ?? true)
    }

    /// Returns the header fields by which the server may choose a representation (RFC 9110, section
    /// 12.5.5), except secret ones.
    private func headerChoice(_ credential: Credential?) -> String {
        let key = endpoint.operation.idempotencyKey?.lowercased()
        var lines: [String] = []
        for field in headers
        where !field.isSecret && !field.isSecretInHeader && field.name.lowercased() != key {
            // Header field values contain no line ends, so LF is a safe separator.
            for pair in field.pairs(credential) {
                lines.append("\(pair.name.lowercased()): \(pair.value)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the credential's values that distinguish users: those that the request uses, and
    /// those that name a person, or else the login. Other values are not used, because the token
    /// and values such as times change with each refresh.
    private func facts(_ credential: Credential) -> String {
        let used = Set((path + query + headers).compactMap(\.credentialKey))
        let facts = credential.values.filter { name, _ in
            used.contains(name) && !Redactor.isSuspicious(name) || Credential.identifiesUser(name)
        }
        let login = credential.identifiesUser ? [] : credential.login.map { ["login \($0)"] } ?? []
        return (facts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } + login)
            .joined(separator: "\n")
    }

    /// Whether the request has no body, apart from the token.
    private var hasNoBody: Bool {
        guard case .none = body else { return false }
        return form.isEmpty
    }

    /// Whether the request itself asks for a range.
    package var asksForPart: Bool { headers.contains { $0.name.lowercased() == "range" } }

    /// The violations of a download that itself asks for a range, because the part would be
    /// mistaken for the whole document.
    package var partProblems: [Violation] {
        headers.filter { ["range", "if-range"].contains($0.name.lowercased()) }.map { field in
            Violation(
                path: field.name, rule: "header",
                expected: "no such field: a download requests missing ranges itself",
                found: field.isHidden ? Redactor.mark : field.pairs.first?.value ?? "nothing")
        }
    }
}
