import SpecIR
import TelexJSON

/// Literals of a spec, and texts, as the JSON of a type.
package struct WrittenLiteral: Sendable {
    private let models: [String: Model]

    /// - Parameter models: The models of the API, by qualified name.
    package init(_ models: [String: Model]) { self.models = models }

    /// A literal as JSON has it.
    package func json(_ literal: Literal, _ type: ValueType) -> JSONValue {
        switch (literal, type) {
        case (.null, _): .null
        case (.bool(let truth), .bool(let form)): Self.truth(truth, form)
        case (.bool(let truth), _): .bool(truth)
        case (.string(let text), .string(.int)): Self.number(text)
        case (.string(let text), _): .string(text)
        case (.integer(let digits), _), (.number(let digits), _): Self.number(digits, of: type)
        case (.enumerationCase(let name), .enumeration(let model, let isInteger)):
            word(name, of: model, isInteger)
        case (.enumerationCase(let name), _): .string(name)
        case (.list(let items), .list(let element)):
            .array(items.map { json($0, element.type) })
        case (.map(let entries), .map(let key, let element)):
            .object(
                JSONObject(
                    entries.map { entry in
                        JSONObject.Member(
                            key: json(entry.key, key.type).writtenText,
                            value: json(entry.value, element.type))
                    }))
        case (.list(let items), _): .array(items.map { json($0, .json) })
        case (.map, _): .object(JSONObject())
        }
    }

    private func word(_ name: String, of model: String, _ isInteger: Bool) -> JSONValue {
        guard case .enumeration(let enumeration)? = models[model]?.kind,
            let value = enumeration.cases.first(where: { $0.name == name })?.value
        else { return .string(name) }
        return isInteger ? Self.number(value) : .string(value)
    }

    /// A Boolean in a form.
    package static func truth(_ truth: Bool, _ form: BoolForm) -> JSONValue {
        switch form {
        case .trueFalse, .presence: .bool(truth)
        case .text: .string(truth.description)
        case .oneZero: truth ? 1 : 0
        case .words(let words): .string(BoolForm.parts(of: words)[truth ? 0 : 1])
        }
    }

    /// A number; a text where the type has its numbers as texts.
    package static func number(_ digits: String, of type: ValueType = .json) -> JSONValue {
        switch type {
        case .integer(_, .string), .double(.string), .decimal(.string): .string(digits)
        default: Int64(digits).map(JSONValue.int) ?? .number(digits)
        }
    }
}

extension JSONValue {
    /// A text without its quotes, and anything else as JSON.
    package var writtenText: String { asString ?? description }
}
