import SpecIR

/// What a caller gives.
extension Method {
    /// The parameters that a caller gives, in the order of the call.
    var arguments: [Parameter] { parameters.arguments }

    /// A name that no argument has.
    func fresh(_ base: String) -> String {
        var name = base
        while parameters.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    /// The argument that holds all the others by the API's names.
    var properties: String { fresh("properties") }

    /// Every argument, and the options, without defaults.
    var fullParameters: [String] {
        arguments.map(\.declaration) + destinationDeclaration
            + ["_ \(fresh("options")): CallOptions?"]
    }

    /// The arguments as they are handed on.
    var forwarded: [String] {
        arguments.map { "\(SwiftLiteral.argument($0.name)): \(SwiftLiteral.identifier($0.name))" }
            + forwardedDestination
    }
}

extension [Parameter] {
    /// Those that a caller gives. Those a caller must give come first, as Swift's conventions ask.
    var arguments: [Parameter] {
        let given = filter { $0.swift != nil }
        return given.filter { $0.presence == .required } + given.filter { $0.presence != .required }
    }
}

extension Parameter {
    /// `name: Type`
    var declaration: String { "\(SwiftLiteral.label(name)): \(swift ?? "")" }

    /// `name: Type = default`
    var defaultedDeclaration: String {
        declaration + (defaultExpression.map { " = \($0)" } ?? "")
    }
}
