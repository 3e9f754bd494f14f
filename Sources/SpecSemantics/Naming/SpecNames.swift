/// The names of types in messages: key paths of the spec instead of derived Swift names.
struct SpecNames {
    private let symbols: SymbolTable
    private var paths: [String: String] = [:]

    init(_ symbols: SymbolTable) {
        self.symbols = symbols
    }

    /// Declares an inline type, whose path consists of that of its model and its own key.
    mutating func declare(_ name: String, at context: TypeContext) {
        let key = context.writtenKey ?? context.key
        if context.parent.isEmpty {
            paths[name] = key
        } else {
            paths["\(context.parent).\(name)"] = "\(self.name(of: context.parent)).\(key)"
        }
    }

    /// The name in the spec of a type with a qualified Swift name.
    func name(of qualified: String) -> String {
        paths[qualified] ?? symbols.model(swiftName: qualified)?.syntax.name.value ?? qualified
    }
}
