import SpecIR
import SpecSyntax
import SpecTemplateRules

extension Value {
    /// The kinds of JSON values that are read as it.
    func kinds(in models: [String: Model]) -> TemplateKinds {
        if from == .string { return .string }
        var kinds = type.kinds
        if case .object(let name) = type, models[name]?.isArray == true { kinds = .array }
        return from == .either ? kinds.union(.string) : kinds
    }
}

extension ValueType {
    /// The kinds of JSON values that are read as the type.
    var kinds: TemplateKinds {
        switch self {
        case .string(let form): form.kinds(ofText: true, number: .integer)
        case .integer(_, let form): form.kinds(ofText: false, number: .integer)
        case .double(let form), .decimal(let form):
            form.kinds(ofText: false, number: [.integer, .number])
        case .bool(.oneZero), .date(.unix), .date(.unixMilliseconds): .integer
        case .bool(.text), .bool(.words), .date, .url, .uuid, .bytes: .string
        case .bool: .bool
        case .duration(let unit): unit.isText ? .string : [.integer, .number]
        case .enumeration(_, let isInteger): isInteger ? .integer : .string
        case .list: .array
        case .map, .object: .object
        case .json, .union: [.bool, .integer, .number, .string, .array, .object]
        case .file: []
        }
    }
}

extension JSONForm {
    fileprivate func kinds(ofText isText: Bool, number: TemplateKinds) -> TemplateKinds {
        switch self {
        case .native: isText ? .string : number
        case .int: number
        case .string: .string
        case .either: number.union(.string)
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
