import SpecIR

/// The models of an API, of which checks are made in one direction.
struct ModelTable: Sendable {
    let models: [String: Model]
    /// Whether values are those of requests.
    let isSent: Bool
    /// The numbers of the models among the checks.
    let numbers: [String: Int]
    let names: [String]

    init(_ models: [String: Model], isSent: Bool) {
        self.models = models
        self.isSent = isSent
        names = models.keys.sorted()
        numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }

    /// The checks of all models, by their numbers.
    func checks() -> [ModelCheck] {
        names.map { name in
            guard let model = models[name] else { return .enumeration }
            return switch model.kind {
            case .object(let fields): .object(ObjectCheck(model, fields, self))
            case .union(let union): .union(UnionCheck(union, self))
            case .enumeration: .enumeration
            }
        }
    }

    /// The known values of an enumeration.
    func cases(of name: String) -> [EnumerationCase] {
        guard case .enumeration(let values) = models[name]?.kind else { return [] }
        return values.cases
    }

    /// The value of a checked literal.
    func value(_ literal: Literal, _ type: ValueType) -> CheckedValue {
        CheckedValue(literal, type, words: cases)
    }

    /// The number of a field of the models that are the elements of a list; -1 if there is none.
    func number(of field: String, inElementsOf type: ValueType) -> Int {
        guard case .list(let element) = type, case .object(let name) = element.type,
            case .object(let fields) = models[name]?.kind
        else { return -1 }
        return fields.firstIndex { $0.name == field } ?? -1
    }
}

/// How values of a model are read.
enum ModelCheck: Sendable {
    case object(ObjectCheck)
    case union(UnionCheck)
    case enumeration
}

/// One check of one document: the checks of all models, and what is noted besides violations.
final class CheckRun {
    let models: [ModelCheck]
    /// The place of the notes; nil if none are made.
    var notes: [SpecNote]?

    init(_ models: [ModelCheck], notes: Bool) {
        self.models = models
        self.notes = notes ? [] : nil
    }
}
