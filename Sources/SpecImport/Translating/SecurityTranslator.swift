import SpecSemantics

/// Translates security schemes, and which of them an operation needs.
struct SecurityTranslator {
    private let api: OpenAPIDescription
    private let types: TypeTranslator
    /// The schemes of the spec: first the one that most operations need.
    private var declared: [(key: String, place: SchemeDescription.Place)] = []
    /// The scheme of the spec for each name in the description.
    private var keys: [String: String] = [:]

    init(_ api: OpenAPIDescription, _ types: TypeTranslator) {
        self.api = api
        self.types = types
        for scheme in usedSchemes { declare(scheme) }
        for other in api.schemes where keys[other.name] == nil {
            types.lose(.scheme, other.name, at: other.span)
        }
    }

    /// Whether a token is sent to servers.
    var isEmpty: Bool { declared.isEmpty }

    /// `auth` of `api.yaml`; nil without a scheme.
    var entry: DraftEntry? {
        let schemes = declared.map { scheme in
            DraftEntry(scheme.key, .map([DraftEntry("token", Self.token(scheme.place))]))
        }
        return schemes.isEmpty ? nil : DraftEntry("auth", .block(schemes))
    }

    /// `auth` of a method; nil if it is that of the API.
    func entry(of operation: OperationDescription) -> DraftEntry? {
        let needed = security(of: operation)
        if needed.contains(where: \.hasScopes) { types.lose(.scopes, at: operation.span) }
        guard let main = declared.first?.key else { return nil }
        let alternatives = alternatives(of: operation)
        guard let first = alternatives.first else {
            let names = needed.flatMap(\.schemes)
            if !names.isEmpty {
                types.lose(.scheme, names.joined(separator: ", "), at: operation.span)
            }
            return DraftEntry("auth", .text("none"))
        }
        if needed.contains(where: \.schemes.isEmpty) {
            if alternatives == [[main]] { return DraftEntry("auth", .text("optional")) }
            types.lose(.optionalAuth, at: operation.span)
        }
        if alternatives.count > 1, alternatives.allSatisfy({ $0.count == 1 }) {
            return DraftEntry("auth", .list(alternatives.map { .text($0[0]) }))
        }
        if alternatives.count > 1 { types.lose(.optionalAuth, at: operation.span) }
        if first == [main] { return nil }
        if first.count == 1 { return DraftEntry("auth", .text(first[0])) }
        return DraftEntry("auth", .map([DraftEntry("all", .list(first.map { .text($0) }))]))
    }

    /// Whether an operation sends a token.
    func hasToken(_ operation: OperationDescription) -> Bool {
        !alternatives(of: operation).isEmpty
    }

    /// Whether a parameter is in the place of a token that the operation sends.
    func isToken(_ parameter: ParameterDescription, of operation: OperationDescription) -> Bool {
        let used = Set(alternatives(of: operation).flatMap(\.self))
        return declared.contains { scheme in
            guard used.contains(scheme.key) else { return false }
            switch scheme.place {
            case .header(let name):
                return parameter.location == "header"
                    && parameter.name.lowercased() == name.lowercased()
            case .query(let name):
                return parameter.location == "query" && parameter.name == name
            case .cookie(let name):
                return parameter.location == "cookie" && parameter.name == name
            case .bearer, .basic: return false
            }
        }
    }

    // MARK: Schemes

    /// The schemes with a token that operations need, the most frequent first.
    private var usedSchemes: [SchemeDescription] {
        var counts: [String: Int] = [:]
        for operation in api.operations {
            for (place, alternative) in security(of: operation).enumerated() {
                // The first alternative is the one that counts; the others are used, too.
                for name in alternative.schemes { counts[name, default: 0] += place == 0 ? 1 : 0 }
            }
        }
        let usable = api.schemes.filter { $0.place != nil && counts[$0.name] != nil }
        return usable.enumerated().sorted { one, other in
            let (first, second) = (counts[one.element.name] ?? 0, counts[other.element.name] ?? 0)
            return first == second ? one.offset < other.offset : first > second
        }.map(\.element)
    }

    private mutating func declare(_ scheme: SchemeDescription) {
        guard let place = scheme.place else { return }
        if let same = declared.first(where: { $0.place == place }) {
            keys[scheme.name] = same.key
            types.lose(.sameScheme, scheme.name, at: scheme.span)
            return
        }
        let name = Self.name(scheme.name).unique { name in !declared.contains { $0.key == name } }
        keys[scheme.name] = name
        declared.append((name, place))
    }

    private static func name(_ text: String) -> String {
        let name = SwiftNamer().lowerCamel(String(text.filter { $0.isASCII })) ?? "account"
        let words = ["none", "required", "optional", "expired", "all", "_"]
        return words.contains(name) ? "account" : name
    }

    private static func token(_ place: SchemeDescription.Place) -> DraftValue {
        let value = { (place: String, name: String) -> DraftValue in
            .map([DraftEntry("in", .text(place)), DraftEntry("name", .text(name))])
        }
        return switch place {
        case .bearer: .text("bearer")
        case .basic: .text("basic")
        case .header(let name): value("header", name)
        case .query(let name): value("query", name)
        case .cookie(let name): value("cookie", name)
        }
    }

    // MARK: Operations

    private func security(of operation: OperationDescription) -> [SecurityRequirement] {
        operation.security ?? api.security ?? []
    }

    /// The alternatives whose schemes all have a token, each once.
    private func alternatives(of operation: OperationDescription) -> [[String]] {
        var found: [[String]] = []
        for needed in security(of: operation) where !needed.schemes.isEmpty {
            var together: [String] = []
            for key in needed.schemes.compactMap({ keys[$0] }) where !together.contains(key) {
                together.append(key)
            }
            let isWhole = needed.schemes.allSatisfy { keys[$0] != nil }
            if isWhole, !found.contains(together) { found.append(together) }
        }
        return found
    }
}
