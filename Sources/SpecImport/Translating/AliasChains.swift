/// Cuts chains of aliases, such as lists of lists of lists, that are longer than the compiler follows.
struct AliasChains {
    /// The compiler follows 100 levels, of which an alias may have several.
    private static let longest = 30

    /// Cuts chains: some models become any JSON.
    static func cut(in draft: inout SpecDraft, _ translator: TypeTranslator) {
        let models = draft.unplaced
        let types = DraftModels(models)
        var depths: [String: Int] = [:]
        var cut: [String] = []
        for model in models {
            var chain: [String] = []
            var next: String? = model.name
            while let name = next, depths[name] == nil {
                depths[name] = 0
                chain.append(name)
                next = types[name]?.aliased
            }
            var depth = next.flatMap { depths[$0] } ?? 0
            for name in chain.reversed() {
                depth = types[name]?.aliased == nil ? 0 : depth + 1
                if depth > longest {
                    cut.append(name)
                    depth = 0
                }
                depths[name] = depth
            }
        }
        let names = Set(cut)
        for index in models.indices where names.contains(models[index].name) {
            draft.unplaced[index].type = .json
        }
        for name in cut { translator.lose(.tooDeep, name, at: translator.span(of: name)) }
    }
}

extension DraftType {
    /// What an alias, or the elements of one, are called; nil for a declaration.
    fileprivate var aliased: String? {
        switch form {
        case .named(let name): name
        case .list(let element), .map(_, let element): element.aliased
        case .object, .enumeration, .union, .constant: nil
        }
    }
}
