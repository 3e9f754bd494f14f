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
        let groups = groups.map(\.syntax)
        let all =
            api.parameters + groups.flatMap(\.parameters)
            + groups.flatMap(\.methods).flatMap(\.parameters)
        for parameter in all {
            let name = parameter.sentKey.value.lowercased()
            guard Self.versionNames.contains(name), let version = parameter.version else {
                continue
            }
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

extension ParameterSyntax {
    /// The version that is always sent, if it is a constant.
    fileprivate var version: Located<String>? {
        guard let node = type.attributes.constant ?? type.attributes.defaultValue,
            node.kind == .scalar
        else { return nil }
        return Located(node.text, at: node.span)
    }
}
