import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Formats parts of a spec for an explanation.
extension Explainer {
    static func shown(_ statuses: [ClosedRange<Int>]) -> String {
        statuses.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)"
        }.joined(separator: ", ")
    }

    static func shown(_ path: [String]) -> String {
        path.isEmpty ? "none" : path.joined(separator: ".")
    }

    static func shown(_ path: [PathStep]) -> String {
        path.isEmpty ? "none" : path.shown
    }

    static func shown(_ conditions: [SuccessConditionSyntax]) -> String {
        if conditions.isEmpty { return "none" }
        return conditions.map { condition in
            let values = condition.values.map { value in
                switch value.value {
                case .flag(let flag): "\(flag)"
                case .integer(let integer): "\(integer)"
                case .text(let text): text
                case .callID: CallValueSyntax.id
                }
            }
            return "\(shown(condition.path.value)): \(values.joined(separator: " or "))"
        }.joined(separator: ", ")
    }

    static func shown(_ type: TypeSyntax) -> String {
        let base =
            switch type.form {
            case .named(let name):
                type.arguments.isEmpty
                    ? name : "\(name)<\(type.arguments.map(shown).joined(separator: ", "))>"
            case .list(let element): "[\(shown(element))]"
            case .map(let key, let value): "{\(shown(key)): \(shown(value))}"
            case .object(let fields): "{\(fields.map(\.key.value).joined(separator: ", "))}"
            case .enumeration(let values):
                "one of " + values.cases.map(\.value.text).joined(separator: ", ")
            case .union(let union):
                union.alternatives.map { shown($0.type) }.joined(separator: " | ")
            case .invalid: "?"
            }
        return base + (type.optional == nil ? "" : "?") + (type.nullable == nil ? "" : " | null")
    }

    static func shown(_ deprecation: DeprecationSyntax) -> String {
        let parts = [
            deprecation.since.map { "since \($0)" }, deprecation.use.map { "use \($0.value)" },
            deprecation.message,
        ].compactMap(\.self)
        return parts.isEmpty ? "true" : parts.joined(separator: ", ")
    }

    static func shown(_ node: YAMLNode) -> String {
        switch node.kind {
        case .scalar: node.text
        case .sequence: "[\(node.items.map { shown($0) }.joined(separator: ", "))]"
        case .mapping:
            "{\(node.entries.map { "\($0.key.text): \(shown($0.value))" }.joined(separator: ", "))}"
        }
    }
}

extension TypeSyntax {
    /// The type in the notation of a spec, without its attributes; an object by the names of its
    /// fields.
    package var shown: String { Explainer.shown(self) }
}

extension ExpirySyntax {
    var shown: String {
        let signs = statuses.map { "\($0.value)" } + codes.map { "error \($0.value)" }
        return signs.isEmpty ? "none" : signs.joined(separator: ", ")
    }
}
