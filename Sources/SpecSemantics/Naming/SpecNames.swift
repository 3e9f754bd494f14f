/// The names of types in messages: key paths of the spec instead of derived Swift names.
struct SpecNames {
    private let symbols: SymbolTable
    private var paths: [String: String] = [:]

    init(_ symbols: SymbolTable) {
        self.symbols = symbols
    }

    /// Declares an inline type at a key of the type `parent`, or of a method if that is empty.
    mutating func declare(_ qualified: String, key: String, in parent: String) {
        paths[qualified] = parent.isEmpty ? key : "\(name(of: parent)).\(key)"
    }

    /// The name in the spec of a type with a qualified Swift name.
    func name(of qualified: String) -> String {
        paths[qualified] ?? symbols.model(swiftName: qualified)?.syntax.name.value ?? qualified
    }
}
