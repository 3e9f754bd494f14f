import SpecIR

// The public declarations of the generated code in short, for the comparison of two versions of a
// spec. Arguments, fields and cases are declarations of their own.

extension Method {
    /// The function without its arguments, and that of its pages:
    /// `get() -> DataOperation<[User]>, getPages()`.
    public var swiftDeclaration: String {
        let file = operation.kind == .download ? "\(destinationLabel): String" : ""
        let pages = pages == nil ? "" : ", \(Self.pagesName(name))()"
        return "\(name)(\(file)) -> \(operationType)\(pages)"
    }

    /// The function with its arguments, without the options of a call:
    /// `func get(id: Int) -> DataOperation<User>`.
    public var signature: String {
        let arguments = arguments.map(\.defaultedDeclaration) + destinationDeclaration
        return "func \(SwiftLiteral.identifier(name))(\(arguments.joined(separator: ", ")))"
            + " -> \(operationType)"
    }

    /// The arguments in the order of the call, by their Swift names.
    public var argumentNames: [String] { arguments.map(\.name) }
}

extension Parameter {
    /// The argument: `count: Int? = nil`; nil if there is none.
    public var argument: String? { swift == nil ? nil : defaultedDeclaration }

    /// Whether calls with this argument compile with the other one, too.
    public func isReplaceable(by other: Parameter) -> Bool {
        guard let type = swift, let new = other.swift, name == other.name else { return false }
        return (new == type || new == type + "?")
            && (other.defaultExpression != nil || defaultExpression == nil)
    }
}

extension Field {
    /// The property and the argument of the initializer: `likes: Int? = nil`.
    public var swiftDeclaration: String {
        let name = SwiftLiteral.label(name)
        if let literal = missingValue ?? constant {
            return "\(name): \(swift) = \(literal.swift(value.type))"
        }
        return "\(name): \(swift)" + (isSwiftOptional ? " = nil" : "")
    }

    /// Whether the initializer can be called without the field.
    public var hasInitialValue: Bool { (missingValue ?? constant) != nil || isSwiftOptional }

    /// Whether code that uses this field compiles with the other one, too.
    public func isReplaceable(by other: Field) -> Bool {
        swift == other.swift && name == other.name && (other.hasInitialValue || !hasInitialValue)
    }
}

extension Model {
    /// The type with its protocols: `struct Post: Sendable, JSONReadable`.
    public var swiftDeclaration: String { "\(kindInSwift) \(qualifiedName): \(allProtocols)" }

    /// Whether code that uses this type compiles with the other one, too, apart from its members.
    public func isReplaceable(by other: Model) -> Bool {
        kindInSwift == other.kindInSwift && qualifiedName == other.qualifiedName
            && Set(protocolNames).isSubset(of: other.protocolNames)
    }

    private var kindInSwift: String {
        switch kind {
        case .object: "struct"
        case .enumeration(let values): "struct of \(values.isInteger ? "Int" : "String")"
        case .union: "enum"
        }
    }

    private var allProtocols: String { protocolNames.joined(separator: ", ") }

    private var protocolNames: [String] {
        let own = protocols.split(separator: ", ").map(String.init)
        if case .enumeration = kind { return own }
        return own + (isRead ? ["JSONReadable"] : []) + (isWritten ? ["JSONWritable"] : [])
    }
}

extension UnionCase {
    /// The case with its value: `photo(Photo)`.
    public var swiftDeclaration: String { "\(name)(\(value.swift))" }
}

extension StatusCase {
    /// The case with its content: `ok(User)`.
    public var swiftDeclaration: String { output == .nothing ? name : "\(name)(\(output.swift))" }
}

extension Extraction {
    /// The function: `name(inGet: [UInt8]) -> String`.
    public var swiftDeclaration: String {
        let type = isList ? "[\(value.type.swift)]" : value.type.swift + (mayMiss ? "?" : "")
        return "\(name)(\(replyLabel): [UInt8]) -> \(type)"
            + (containerLabel.map { ", \(name)(\($0): [UInt8])" } ?? "")
    }
}

extension API {
    /// The type of `oauth`; nil without a log-in.
    public var grant: String? {
        allSchemes.contains { $0.grant != nil } ? "OAuthGrant" : nil
    }

    /// The type of `templates`; nil without templates.
    public var templateTable: String? { templates == nil ? nil : "APITemplates" }

    /// The properties of `Parameters`, in the order of its initializer.
    public var parameterTypes: [(name: String, type: String)] {
        baseParameters.arguments.map { ($0.name, $0.swift ?? "") }
    }

    /// What the app has to implement to check replies itself.
    public var checkFunctions: [String] {
        checkedMethods.map { "\($0.caseName)(_: \($0.output.swift)) -> [Violation]" }
            + ownRules.map { "\($0.function)(_: \($0.type.swift)) -> Bool" }
    }
}
