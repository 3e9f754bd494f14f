import SpecIR
import SpecSyntax

/// Finds the types of the module that the fields of an object or the alternatives of a union mention, also in inline types.
struct MentionedTypes {
    private let symbols: SymbolTable
    private let aliases: [String: Value]

    init(_ symbols: SymbolTable, _ aliases: [String: Value]) {
        self.symbols = symbols
        self.aliases = aliases
    }

    /// The first parts of the types' qualified names.
    ///
    /// - Parameter owner: The qualified name of the object or union. Its inline types are mentioned by
    ///   it.
    func heads(of types: [TypeSyntax], in owner: String) -> Set<String> {
        var heads: Set<String> = [Self.head(of: owner)]
        var open = types
        while let type = open.popLast() {
            switch type.form {
            case .named(let name): heads.formUnion(self.heads(of: name))
            case .list(let element): open.append(element)
            case .map(let key, let element): open += [key, element]
            case .object(let fields): open += fields.map(\.type)
            case .union(let union): open += union.alternatives.map(\.type)
            case .enumeration, .invalid: break
            }
        }
        return heads
    }

    private func heads(of name: String) -> [String] {
        guard let entry = symbols.models[name] else { return [] }
        guard entry.kind == .alias else { return [entry.swiftName] }
        return aliases[name]?.type.models.map(Self.head) ?? []
    }

    private static func head(of qualified: String) -> String {
        String(qualified.prefix { $0 != "." })
    }
}
