import SpecDiagnostics
import SpecSyntax

/// Replaces what is shared between models with what each of them has: each use of a generic model
/// becomes a model of its own, and a mixin's fields become fields of the object. A shared path
/// becomes a part of each method's path, and a procedure call a method with a verb. All later
/// passes see a spec without them.
enum SpecExpander {
    /// The expanded spec. Errors are reported to `bag`.
    static func expand(_ spec: Spec, namer: SwiftNamer, into bag: inout DiagnosticBag) -> Spec {
        var spec = spec
        BodyTypeExpander.expand(&spec, into: &bag)
        ProcedureExpander.expand(&spec, into: &bag)
        CallValueExpander.expand(&spec, into: &bag)
        SharedPathExpander.expand(&spec, into: &bag)
        GenericExpander.expand(&spec, namer: namer, into: &bag)
        MixinExpander.expand(&spec, into: &bag)
        return spec
    }
}

extension Spec {
    /// The names of the models that others mix in.
    var mixins: Set<String> {
        let types = groups.lazy.flatMap(\.models).flatMap(\.type.withParts)
        return Set(types.flatMap(\.mixins).compactMap(\.name))
    }

    /// Transforms the types of parameters, bodies and replies.
    mutating func transformUses(_ transform: (inout TypeSyntax) -> Void) {
        if var api {
            for index in api.parameters.indices { transform(&api.parameters[index].type) }
            self.api = api
        }
        for index in groups.indices { groups[index].transformUses(transform) }
    }
}

extension GroupSyntax {
    fileprivate mutating func transformUses(_ transform: (inout TypeSyntax) -> Void) {
        for index in parameters.indices { transform(&parameters[index].type) }
        for index in methods.indices { methods[index].transformUses(transform) }
    }
}

extension MethodSyntax {
    fileprivate mutating func transformUses(_ transform: (inout TypeSyntax) -> Void) {
        for index in parameters.indices { transform(&parameters[index].type) }
        if var body {
            transform(&body)
            self.body = body
        }
        if var returns {
            transform(&returns)
            self.returns = returns
        }
        for index in replies.indices { transform(&replies[index].type) }
        if var headers = replyHeaders {
            transform(&headers.type)
            replyHeaders = headers
        }
    }
}

extension TypeSyntax {
    /// Transforms the types directly inside this one, its arguments and mixins included.
    mutating func transformParts(_ transform: (inout TypeSyntax) -> Void) {
        switch form {
        case .list(var element):
            transform(&element)
            form = .list(element)
        case .map(var key, var value):
            transform(&key)
            transform(&value)
            form = .map(key: key, value: value)
        case .object(var fields):
            for index in fields.indices { transform(&fields[index].type) }
            form = .object(fields)
        case .union(var union):
            for index in union.alternatives.indices {
                transform(&union.alternatives[index].type)
            }
            form = .union(union)
        case .named, .enumeration, .invalid: break
        }
        for index in arguments.indices { transform(&arguments[index]) }
        for index in mixins.indices { transform(&mixins[index]) }
    }

    /// The type and all types inside it, without mixins, in order.
    var withParts: [TypeSyntax] {
        var all = [self]
        var copy = self
        copy.mixins = []
        copy.transformParts { all += $0.withParts }
        return all
    }

    /// The name, if the type is one.
    var name: String? {
        if case .named(let name) = form { name } else { nil }
    }

    /// The fields of an object.
    var fields: [ParameterSyntax]? {
        if case .object(let fields) = form { fields } else { nil }
    }
}
