import SpecIR
import SpecSyntax
import SpecTemplateRules

extension Value {
    /// The kinds of JSON that it may have; none for a union.
    func shapes(in models: [String: Model]) -> Set<JSONShape> {
        guard case .object(let name) = type, models[name]?.isArray == true else { return shapes }
        return Set(shapes.map { $0 == .object ? .array : $0 })
    }

    /// The kinds of values of templates that are read as it.
    func kinds(in models: [String: Model]) -> TemplateKinds {
        let kinds = shapes(in: models).reduce(into: TemplateKinds()) { $0.formUnion($1.kinds) }
        return switch type {
        case .union where kinds.isEmpty:
            JSONShape.allCases.reduce(into: []) { $0.formUnion($1.kinds) }
        case .double, .decimal, .duration, .json: kinds
        default: kinds.subtracting(.number)
        }
    }
}

extension JSONShape {
    fileprivate var kinds: TemplateKinds {
        switch self {
        case .string: .string
        case .number: [.integer, .number]
        case .bool: .bool
        case .array: .array
        case .object: .object
        }
    }
}

extension YAMLNode {
    /// The kinds of a value of a template; none for null.
    var templateKinds: TemplateKinds {
        switch kind {
        case .sequence: .array
        case .mapping: .object
        case .scalar where !isPlain: .string
        case .scalar where isNull: []
        case .scalar where boolean != nil: .bool
        case .scalar: text.contains { ".eE".contains($0) } ? .number : .integer
        }
    }

    /// A scalar of a template as a literal of the type, which does not have the spelling of JSON.
    func literal(of type: ValueType) -> YAMLNode {
        switch type {
        case .integer, .double, .decimal, .bool(.text), .date(.unixText),
            .date(.unixMillisecondsText):
            isPlain ? self : replaced(by: text)
        case .bool(.oneZero): replaced(by: "\(text == "1")")
        case .bool(.words(let words)):
            BoolForm.parts(of: words).firstIndex(of: text).map { replaced(by: "\($0 == 0)") }
                ?? self
        case .date(.localDateTime):
            DateSyntaxCheck.problem(of: text + "Z") == nil ? replaced(by: text + "Z") : self
        default: self
        }
    }
}
