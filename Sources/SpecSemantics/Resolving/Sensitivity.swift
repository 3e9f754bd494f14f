import SecretNames
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
    private func isSensitive(_ syntax: TypeSyntax) -> Bool {
        if syntax.attributes.isSensitive == true || syntax.attributes.isToken { return true }
        return sensitiveAlias(in: syntax) != nil
    }

    /// The sensitive alias that a type refers to.
    func sensitiveAlias(in syntax: TypeSyntax) -> String? {
        switch syntax.form {
        case .named(let name): sensitiveAliases.contains(name) ? name : nil
        case .list(let element), .map(_, let element): sensitiveAlias(in: element)
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
        case .object, .enumeration, .invalid: return false
        }
    }

    /// Scalars that are never secrets: `password: Date` is the time of a change.
    private static let neverSecret: Set<String> = ["bool", "bool01", "Date", "Duration"]
}

extension AttributesSyntax {
    /// Whether the default is the access token or the refresh token.
    fileprivate var isToken: Bool {
        guard let node = defaultValue, node.kind == .scalar else { return false }
        return CredentialReference.isToken(node.text)
    }
}
