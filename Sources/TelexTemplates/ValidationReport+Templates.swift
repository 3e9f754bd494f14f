import SecretNames
import TelexJSON

extension ValidationReport {
    /// Adds what another check of the same reply has found, except violations of a rule at a place
    /// where it is already known to be violated. Values of the sensitive keys of the read models are
    /// hidden, which a template does not know.
    ///
    /// - Parameter keys: Further keys with secret values.
    package mutating func add(_ other: ValidationReport, hiding keys: Set<String> = []) {
        let known = Set(violations.map { [$0.path, $0.rule] })
        let secrets = sensitiveKeys.union(keys).map(\.names)
        violations += other.violations.filter { !known.contains([$0.path, $0.rule]) }
            .map { $0.hidden { names in secrets.contains { names.isSuperset(of: $0) } } }
    }
}

extension Violation {
    /// The violation without a value of a key with the usual name of a secret.
    func hidingSecrets() -> Violation {
        hidden { $0.contains { SecretName.isSuspicious(String($0)) } }
    }

    /// The violation without its value, if that has a secret: if the names on the path, or those in
    /// an object or list, are secret.
    fileprivate func hidden(if isSecret: (Set<Substring>) -> Bool) -> Violation {
        let isContainer = found.hasPrefix("{") || found.hasPrefix("[")
        guard isSecret(path.names.union(isContainer ? found.names : [])) else { return self }
        var hidden = self
        hidden.found = Violation.redacted
        return hidden
    }
}

extension String {
    /// The keys in a path or in JSON, among other parts. A key with punctuation may be several.
    fileprivate var names: Set<Substring> { Set(split { "[]\".".contains($0) }) }
}
