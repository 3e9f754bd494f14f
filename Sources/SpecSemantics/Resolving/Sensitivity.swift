import SpecSecretNames
import SpecSyntax

/// Which values are redacted: by an attribute, by an alias, as a token, or by their name.
struct Sensitivity {
    let symbols: SymbolTable
    /// Aliases whose values are redacted.
    private var sensitiveAliases: Set<String> = []
    /// Aliases whose values may be secrets, depending on the name of the field or parameter.
    private var plainAliases: Set<String> = []

    init(_ symbols: SymbolTable) {
        self.symbols = symbols
    }

    /// Adds an alias; those that it refers to come first.
    mutating func add(alias name: String, _ type: TypeSyntax) {
        if isSensitive(type) { sensitiveAliases.insert(name) }
        if mayBeSecret(type) { plainAliases.insert(name) }
    }

    /// Adds the unions, which are sensitive if one of their alternatives is. A union may be an
    /// alternative of another one, so each that was added is looked up among the others.
    mutating func add(unions: [ModelSyntax]) {
        var holders: [String: [ModelSyntax]] = [:]
        for union in unions {
            guard case .union(let syntax) = union.type.form else { continue }
            for case .named(let name) in syntax.alternatives.map(\.type.form) {
                holders[name, default: []].append(union)
            }
        }
        var open = unions
        while let union = open.popLast() {
            let name = union.name.value
            let before = (sensitiveAliases.contains(name), plainAliases.contains(name))
            add(alias: name, union.type)
            let now = (sensitiveAliases.contains(name), plainAliases.contains(name))
            if before != now { open += holders[name] ?? [] }
        }
    }

    /// Whether a field or a parameter is sensitive: by its attribute, by an alias, as a token, or
    /// by a suspicious name without `sensitive: false`.
    func isSensitive(_ syntax: ParameterSyntax) -> Bool {
        if isSensitive(syntax.type) { return true }
        guard syntax.type.attributes.isSensitive == nil, mayBeSecret(syntax.type) else {
            return false
        }
        let key = syntax.sentKey.value
        return syntax.location == .header
            ? SecretName.isSecretHeader(key) : SecretName.isSuspicious(key)
    }

    /// Whether values of a type are sensitive, regardless of their name.
    func isSensitive(_ syntax: TypeSyntax) -> Bool {
        if syntax.attributes.isSensitive == true || syntax.attributes.isToken { return true }
        return sensitiveAlias(in: syntax) != nil || hasSecretAlternative(syntax)
    }

    /// Whether an alternative of a union has the name of a secret: `{ password: string }`.
    private func hasSecretAlternative(_ syntax: TypeSyntax) -> Bool {
        switch syntax.form {
        case .union(let union):
            union.alternatives.contains { item in
                item.key.map { SecretName.isSuspicious($0.text) } == true
                    && mayBeSecret(item.type)
            }
        case .list(let element), .map(_, let element): hasSecretAlternative(element)
        case .named, .object, .enumeration, .invalid: false
        }
    }

    /// The sensitive alias that a type refers to.
    func sensitiveAlias(in syntax: TypeSyntax) -> String? {
        switch syntax.form {
        case .named(let name): sensitiveAliases.contains(name) ? name : nil
        case .list(let element), .map(_, let element): sensitiveAlias(in: element)
        case .union(let union):
            union.alternatives.lazy.compactMap { sensitiveAlias(in: $0.type) }.first
        case .object, .enumeration, .invalid: nil
        }
    }

    /// Whether a value of a type may be a secret. Objects are checked by field, and the values of
    /// an enumeration are public.
    private func mayBeSecret(_ syntax: TypeSyntax) -> Bool {
        switch syntax.form {
        case .named(let name):
            return symbols.models[name] == nil
                ? !Self.neverSecret.contains(name) : plainAliases.contains(name)
        case .list(let element), .map(_, let element): return mayBeSecret(element)
        case .union(let union): return union.alternatives.contains { mayBeSecret($0.type) }
        case .object, .enumeration, .invalid: return false
        }
    }

    /// Scalars that are never secrets: `password: Date` is the time of a change.
    private static let neverSecret: Set<String> = ["bool", "bool01", "Date", "Duration"]
}

extension AttributesSyntax {
    /// Whether the default is the access token or the refresh token.
    fileprivate var isToken: Bool {
        credentialDefault.map { CredentialReference.isToken($0.text) } ?? false
    }
}
