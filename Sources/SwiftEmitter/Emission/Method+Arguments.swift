import SpecIR

/// The arguments of a call.
extension Method {
    /// The parameters with an argument, in the order of the call.
    var arguments: [Parameter] { parameters.arguments }

    /// A name that no argument has.
    func fresh(_ base: String) -> String {
        var name = base
        while parameters.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    /// The argument with all properties by their API names.
    var properties: String { fresh("properties") }

    /// The forwarded arguments.
    var forwarded: [String] {
        arguments.map { "\(SwiftLiteral.argument($0.name)): \(SwiftLiteral.identifier($0.name))" }
            + forwardedDestination
    }
}

extension [Parameter] {
    /// The parameters with an argument. Required ones come first, by Swift's conventions.
    var arguments: [Parameter] {
        let given = filter { $0.swift != nil }
        return given.filter { $0.presence == .required } + given.filter { $0.presence != .required }
    }
}

extension Parameter {
    /// `name: Type`
    var declaration: String { "\(SwiftLiteral.label(name)): \(swift ?? "")" }

    /// `name: Type = default`
    var defaultedDeclaration: String { declaration + defaultAssignment }

    /// `name: Type = default`, or `name local: Type = default`.
    var defaultedLocalDeclaration: String { localDeclaration + defaultAssignment }

    private var defaultAssignment: String { defaultExpression.map { " = \($0)" } ?? "" }
}
