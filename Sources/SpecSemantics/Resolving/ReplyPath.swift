import SpecDiagnostics
import SpecIR

/// Follows a path through the declared types of a reply.
struct ReplyPath {
    /// What the steps so far lead to.
    enum Place {
        /// A value of a declared type.
        case value(Value)
        /// An object that fields lead through, with the rests of their paths.
        case members([(path: ArraySlice<String>, field: Field)], isOpen: Bool)
        /// A value whose type is not declared.
        case undeclared
    }

    let models: [String: Model]
    private(set) var place: Place
    /// Whether there may be no value here, up to the first step to each element.
    private(set) var mayMiss = false
    /// Whether a field on the way is a secret.
    private(set) var isSensitive = false
    private var isList = false
    /// The fields that the steps lead through; nil after a step into a map or a list.
    private(set) var fields: [Field]? = []

    init(_ output: Output, _ models: [String: Model]) {
        self.models = models
        place = .undeclared
        if case .value(let value) = output { enter(value) }
    }

    /// The declared value; nil if none is.
    var value: Value? { if case .value(let value) = place { value } else { nil } }

    /// Whether the steps so far lead to a list.
    var isInList: Bool { if case .list? = value?.type { true } else { false } }

    private mutating func enter(_ value: Value) {
        if value.isNullable { skip() }
        switch value.type {
        case .json, .union: place = .undeclared
        default: place = .value(value)
        }
    }

    private mutating func skip() {
        if !isList { mayMiss = true }
    }

    /// Takes steps up to the first one that is not possible.
    ///
    /// - Returns: The problem of that step, and its remedy.
    mutating func follow(_ steps: [PathStep]) -> (problem: String, help: String)? {
        for step in steps {
            if let problem = take(step) { return problem }
        }
        return nil
    }

    /// Takes a step.
    ///
    /// - Returns: The problem, if a value of this type has no such step, and its remedy.
    private mutating func take(_ step: PathStep) -> (problem: String, help: String)? {
        if case .undeclared = place { return nil }
        guard case .key(let key) = step else { return takeElement(step) }
        if case .value(let value) = place {
            switch value.type {
            case _ where value.from != .native:
                return ("the value is JSON inside a text", "end the path before it")
            case .map(_, let element):
                skip()
                enter(element)
                fields = nil
                return nil
            case .list: return ("a list has no key `\(key)`", "write an index before it: `[0]`")
            case .object(let name) where models[name]?.isArray == true:
                return ("the value is an array in JSON", "end the path before it")
            case .object(let name): place = members(of: name)
            default: return ("the value has no key `\(key)`", "end the path before it")
            }
        }
        return takeMember(key)
    }

    private func members(of name: String) -> Place {
        guard let model = models[name], case .object(let fields) = model.kind else {
            return .undeclared
        }
        let received = fields.filter { !$0.isAdditional && $0.only != .request }
        return .members(
            received.map { (($0.steps + [$0.key])[...], $0) },
            isOpen: fields.contains(where: \.isAdditional))
    }

    private mutating func takeMember(_ key: String) -> (problem: String, help: String)? {
        guard case .members(let members, let isOpen) = place else { return nil }
        let matches = members.filter { $0.path.first == key }
        if matches.contains(where: \.field.isSensitive) { isSensitive = true }
        if let match = matches.first(where: { $0.path.count == 1 }) {
            if match.field.isOptional || match.field.defaultValue != nil { skip() }
            enter(match.field.value)
            fields?.append(match.field)
            return nil
        }
        if matches.isEmpty {
            place = .undeclared
            if isOpen { return nil }
            let known = Set(members.compactMap(\.path.first)).sorted()
            let help = didYouMean(key, among: known)
            return (
                "the reply has no key `\(key)` here",
                help ?? "declare it in the model, or write one of its keys"
            )
        }
        place = .members(matches.map { ($0.path.dropFirst(), $0.field) }, isOpen: false)
        if matches.allSatisfy({ !$0.field.isRequired }) { skip() }
        return nil
    }

    private mutating func takeElement(_ step: PathStep) -> (problem: String, help: String)? {
        guard case .value(let list) = place, case .list(let element) = list.type,
            list.from == .native
        else {
            return ("`\([step].shown)` leads into a list, and the value is none", "remove it")
        }
        if step == .each { isList = true } else { skip() }
        enter(element)
        fields = nil
        return nil
    }
}
