import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves the values of parameters that a call itself gives, and their places.
extension Resolver {
    /// The presence of the call's id, which is a text or an integer.
    mutating func callID(_ syntax: ParameterSyntax, _ value: Value) -> Parameter.Presence? {
        switch value.type {
        case .string(.native) where syntax.location != .body: return .callID
        case .integer(_, .native) where syntax.location != .body: return .callID
        default:
            bag.report(
                .badCallValue, "the id of a call is a text or an integer",
                at: syntax.type.attributes.constant?.span ?? syntax.key.span,
                help: "write `{ const: $call.id }` for a text, or with `type: int`; not as a whole "
                    + "body")
            return nil
        }
    }

    /// Whether a constant of a field is a value of a call, which is reported: a model has no call.
    mutating func isCallValue(_ constant: YAMLNode) -> Bool {
        guard constant.isPlain, CallValueSyntax.words.contains(constant.text) else { return false }
        bag.report(
            .badCallValue, "`\(constant.text)` is the constant of a parameter", at: constant.span,
            help: "a field has no call: declare it in the method, as a member of `json` itself")
        return true
    }

    /// Reports a member inside a wrapper whose value is known only when the request is sent.
    mutating func checkWrapped(_ parameter: ResolvedParameter) {
        let syntax = parameter.syntax
        guard syntax.isInWrapper else { return }
        switch parameter.presence {
        case .credential, .callID: break
        case .required, .optional, .defaulted, .constant: return
        }
        let attributes = syntax.type.attributes
        bag.report(
            .badCallValue, "this value cannot stand inside another one of the body",
            at: (attributes.constant ?? attributes.defaultValue)?.span ?? syntax.key.span,
            help: "values of the credential and of the call are members of the body itself; "
                + "declare a plain parameter, and pass the value")
    }
}
