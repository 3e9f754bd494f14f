import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Keys by which a server recognises a call that is sent again.
extension Analyzer {
    /// The header of the key. What a method says holds for it; what it inherits is for methods that
    /// are not idempotent anyway (RFC 9110 §9.2.2).
    mutating func idempotencyKey(
        _ syntax: MethodSyntax, _ scope: MethodScope
    ) -> String? {
        let own = syntax.settings.operation.idempotencyKey
        let outer = scope.group.settings.operation.idempotencyKey
        let said = own ?? outer ?? scope.api.settings.operation.idempotencyKey
        let isWanted = own != nil || ["POST", "PATCH"].contains(syntax.verb?.value ?? "")
        guard let header = said?.header, isWanted else { return nil }
        let all = syntax.parameters + scope.group.parameters + scope.api.parameters
        let declared = all.filter { $0.location == .header }.map {
            $0.type.attributes.key ?? $0.key
        }
        let name = header.value.lowercased()
        if let first = (declared + [tokenHeader(scope.api.auth)].compactMap(\.self)).first(where: {
            $0.value.lowercased() == name
        }) {
            bag.report(
                .takenHeader, "header `\(header.value)` has another value already",
                at: header.span, notes: [Diagnostic.Note("it is declared here", at: first.span)],
                help: "remove that one: the key is made for each call")
        }
        return header.value
    }

    /// The header that carries the token, if one does.
    private func tokenHeader(_ auth: AuthSyntax?) -> Located<String>? {
        guard let auth, let place = auth.placement else { return nil }
        switch place.value {
        case "header": return auth.name
        case "bearer": return Located("Authorization", at: place.span)
        case "cookie": return Located("Cookie", at: place.span)
        default: return nil
        }
    }
}
