import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks idempotency keys.
extension OperationChecker {
    /// Checks that no parameter and no token has the header of the key.
    mutating func checkIdempotencyKey(_ method: ResolvedMethod) {
        guard let header = method.cascade.idempotencyKey?.value.header else { return }
        let all = method.syntax.parameters + method.group.parameters + spec.api.parameters
        let declared = all.filter { $0.location == .header }.map {
            $0.sentKey
        }
        let isTaken = { (other: Located<String>) in
            other.value.lowercased() == header.value.lowercased()
        }
        if let first = declared.first(where: isTaken) {
            reportTaken(
                header, by: first, help: "remove that one: the key is created for each call")
        } else if let token = method.cascade.schemes.compactMap(tokenHeader).first(where: isTaken) {
            reportTaken(
                header, by: token, help: "give the key another header: the token is in this one")
        }
    }

    private mutating func reportTaken(
        _ header: Located<String>, by other: Located<String>, help: String
    ) {
        bag.report(
            .takenHeader, "header `\(header.value)` already has another value", at: header.span,
            notes: [Diagnostic.Note("it is declared here", at: other.span)], help: help)
    }

    /// The header that carries the token, if one does.
    private func tokenHeader(_ auth: AuthSyntax) -> Located<String>? {
        guard let place = auth.placement else { return nil }
        switch place.value {
        case .header: return auth.name
        case .bearer, .basic: return Located("Authorization", at: place.span)
        case .cookie: return Located("Cookie", at: place.span)
        case .query, .body, .path: return nil
        }
    }
}
