import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves what is sent of a parameter in place of some values: `empty`, `clamp` and
/// `server-default`.
extension Resolver {
    mutating func addSending(to parameter: inout ResolvedParameter) {
        let sending = parameter.syntax.type.attributes.sending
        if sending.empty != nil { checkEmpty(parameter) }
        if sending.clamp != nil { parameter.clamp = clamp(parameter) }
        if let node = sending.serverDefault {
            parameter.serverDefault = serverDefault(node, of: parameter)
        }
    }

    /// Reports `empty: omit` and `empty: default` of a value that has no empty one, or no other.
    private mutating func checkEmpty(_ parameter: ResolvedParameter) {
        let attributes = parameter.syntax.type.attributes
        let needsDefault = attributes.sending.empty?.value == .byDefault
        if attributes.sending.empty?.value == .send { return }
        let isFitting =
            (attributes.defaultValue != nil) == needsDefault && parameter.presence != .required
            && !parameter.presence.isFixed
        switch parameter.value.type {
        case .string, .list, .map:
            if isFitting, parameter.location != .body, !parameter.value.isNullable { return }
        default: break
        }
        report(
            .empty, of: parameter.syntax,
            help: needsDefault
                ? "it goes with the `default` of a text, a list or a map: not of a whole body, without "
                    + "`| null`"
                : "it goes with a text, a list or a map that may be left out: `string?`, not a "
                    + "whole body, without `default` and `| null`")
    }

    private mutating func clamp(_ parameter: ResolvedParameter) -> Parameter.Clamp? {
        var low: ExactNumber?
        var high: ExactNumber?
        var clamp = Parameter.Clamp(low: nil, high: nil)
        for rule in parameter.value.rules where rule.direction != .receive {
            guard case .number(let digits) = rule.argument, let bound = ExactNumber(digits) else {
                continue
            }
            let literal = parameter.value.type.isInteger ? Literal.integer(digits) : .number(digits)
            // An alias may have a tighter bound.
            if rule.name == .min, low.map({ bound > $0 }) ?? true {
                (low, clamp.low) = (bound, literal)
            }
            if rule.name == .max, high.map({ bound < $0 }) ?? true {
                (high, clamp.high) = (bound, literal)
            }
        }
        if low != nil || high != nil, !parameter.presence.isFixed, parameter.location != .body,
            !parameter.value.isNullable
        {
            return clamp
        }
        report(
            .clamp, of: parameter.syntax,
            help: "it goes with the `min` or `max` of a number that the caller gives: not a whole "
                + "body, without `| null`")
        return nil
    }

    private mutating func serverDefault(
        _ node: YAMLNode, of parameter: ResolvedParameter
    ) -> Literal? {
        let syntax = parameter.syntax
        let attributes = syntax.type.attributes
        let place = attributes.place(of: .serverDefault) ?? node.span
        let sent: [AttributesSyntax.Key] = [.defaultValue, .constant]
        if let other = attributes.keys.first(where: { sent.contains($0.value) }) {
            let name = other.value.rawValue
            bag.report(
                .conflict, "`server-default` cannot be combined with `\(name)`", at: place,
                notes: [Diagnostic.Note("`\(name)` is here", at: other.span)],
                help: "keep one of them: `\(name)` is sent, `server-default` is only documented")
            return nil
        }
        guard parameter.presence == .optional else {
            report(
                .serverDefault, of: syntax,
                help: "the server takes its default if nothing is sent: add `?` to the type")
            return nil
        }
        return checkedLiteral(
            node, named: "server-default", of: syntax.type, parameter.value)
    }
}

extension ValueType {
    fileprivate var isInteger: Bool {
        if case .integer = self { true } else { false }
    }
}
