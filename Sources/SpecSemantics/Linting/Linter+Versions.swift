import SpecDiagnostics
import SpecSyntax

/// Warnings about versions of the API that differ between methods.
extension Linter {
    /// The usual names of a parameter with the version of an API.
    private static let versionNames: Set = [
        "v", "version", "ver", "api-version", "api_version", "apiversion", "x-api-version",
    ]

    /// Reports each version that differs from the one of the API, or else from the first one of the
    /// same name.
    mutating func checkVersions() {
        var versions: [String: Located<String>] = [:]
        let all =
            Self.versions(api.parameters) + groups.flatMap { Self.versions($0.syntax.parameters) }
            + groups.flatMap { $0.syntax.methods.flatMap { Self.versions($0.parameters) } }
        for (name, version) in all {
            guard let first = versions[name] else {
                versions[name] = version
                continue
            }
            guard first.value != version.value else { continue }
            bag.report(
                .versionDrift,
                "version `\(version.value)` differs from `\(first.value)` of other methods",
                at: version.span,
                notes: [Diagnostic.Note("the other version is here", at: first.span)],
                help: "send the same version everywhere: declare it once, under `parameters` or "
                    + "`headers` of `api.yaml`")
        }
    }
}

extension Linter {
    /// The constant versions among parameters, with the names of the parameters.
    private static func versions(
        _ parameters: [ParameterSyntax]
    ) -> [(name: String, version: Located<String>)] {
        parameters.compactMap { parameter in
            let name = parameter.sentKey.value.lowercased()
            guard versionNames.contains(name) else { return nil }
            return parameter.version.map { (name, $0) }
        }
    }
}

extension ParameterSyntax {
    /// The version that is always sent, if it is a constant.
    fileprivate var version: Located<String>? {
        guard let node = type.attributes.constant ?? type.attributes.defaultValue,
            node.kind == .scalar
        else { return nil }
        return Located(node.text, at: node.span)
    }
}
