import SpecSyntax

/// Types in the notation of a spec.
enum TypeWords {
    /// A type without its attributes; an object by the names of its fields.
    static func text(_ type: TypeSyntax) -> String {
        let marks = (type.optional == nil ? "" : "?") + (type.nullable == nil ? "" : " | null")
        return form(of: type) + marks
    }

    private static func form(of type: TypeSyntax) -> String {
        switch type.form {
        case .named(let name):
            let arguments = type.arguments.map(text).joined(separator: ", ")
            return arguments.isEmpty ? name : "\(name)<\(arguments)>"
        case .list(let element): return "[\(text(element))]"
        case .map(let key, let value): return "{\(text(key)): \(text(value))}"
        case .object(let fields):
            let names = type.mixins.map { "…\(text($0))" } + fields.map(\.key.value)
            return "{ \(shortened(names).joined(separator: ", ")) }"
        case .enumeration(let values):
            return "enum: [\(shortened(values.cases.map(\.value.text)).joined(separator: ", "))]"
        case .union(let union):
            return union.alternatives.map { text($0.type) }.joined(separator: " | ")
        case .invalid: return "…"
        }
    }

    private static func shortened(_ names: [String]) -> [String] {
        names.count > 8 ? names.prefix(8) + ["…"] : names
    }
}
