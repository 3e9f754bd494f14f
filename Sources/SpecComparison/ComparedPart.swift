import SpecIR
import SwiftEmitter

/// A part of an API that has a name, so that it is found again at another place of its list.
protocol ComparedPart: Equatable {
    /// What it is.
    static var noun: String { get }
    /// What a change of their order does.
    static var order: Change.Kind { get }
    /// The properties that the declaration tells, or parts of them.
    static var declared: [String] { get }
    /// Where it is, if its Swift name follows from that: the place then tells it from others.
    var inlinePlace: String? { get }
    /// What it is called where it comes or goes.
    var title: String { get }
    /// The Swift name.
    var partName: String { get }
    /// The name that the API uses.
    var key: String { get }
    /// The Swift declaration; nil if app code cannot refer to it.
    var declaration: String? { get }
    /// What distinguishes it from other parts, without its name.
    var shape: String? { get }
    /// The subject of its changes in that of what it belongs to; nil if it has none of its own.
    func subject(in parent: String) -> String?
    /// What adding it does.
    var addition: Change.Kind { get }
    /// What changing its declaration does.
    func kind(changedTo other: Self) -> Change.Kind
}

extension ComparedPart {
    static var order: Change.Kind { .documentation }
    static var declared: [String] { [] }
    var inlinePlace: String? { nil }
    var title: String { Self.noun }
    var key: String { partName }
    var shape: String? { nil }
    func subject(in parent: String) -> String? { "\(parent).\(partName)" }
    var addition: Change.Kind { .additive }
    func kind(changedTo other: Self) -> Change.Kind { .source }
}

/// A part whose name is its Swift name.
protocol NamedPart: ComparedPart {
    var name: String { get }
}

extension NamedPart {
    var partName: String { name }
}

/// A part that the generated code always declares.
protocol DeclaredPart: NamedPart {
    var swiftDeclaration: String { get }
}

extension DeclaredPart {
    var declaration: String? { swiftDeclaration }
}

extension Group: ComparedPart {
    static let noun = "group"
    static let declared = ["names"]
    var partName: String { apiName }
    func subject(in parent: String) -> String? { apiName }
    var declaration: String? {
        methods.isEmpty ? nil : "\(names.property): \(names.protocol)"
    }
    var addition: Change.Kind { methods.isEmpty ? .documentation : .additive }
}

extension Capability: NamedPart {
    static let noun = "capability"
    static let declared = ["methods"]
    var declaration: String? { "protocol \(name) of \(methods.sorted().joined(separator: ", "))" }
    func kind(changedTo other: Capability) -> Change.Kind {
        name == other.name && Set(methods).isSubset(of: other.methods) ? .additive : .source
    }
}

extension Method: DeclaredPart {
    static let noun = "method"
    static let declared = [
        "name", "caseName", "output", "operation.kind", "replyHeaders", "pages",
    ]
    var key: String { apiName }
    func subject(in parent: String) -> String? { apiName }
    var shape: String? {
        let arguments = parameters.compactMap(\.argument).joined(separator: ", ")
        return "\(arguments) \(swiftDeclaration.dropFirst(name.count))"
    }
    var declaration: String? { (isInternal ? "internal " : "") + swiftDeclaration }
    func kind(changedTo other: Method) -> Change.Kind {
        if isInternal != other.isInternal { return isInternal ? .additive : .source }
        return other.swiftDeclaration.hasPrefix(swiftDeclaration + ",") ? .additive : .source
    }
}

extension Parameter: NamedPart {
    static let noun = "parameter"
    static let order = Change.Kind.behaviour
    static let declared = ["name", "value.type", "value.isNullable", "presence"]
    func subject(in parent: String) -> String? {
        (parent == APIComparison.api ? "parameters" : parent) + ".\(name)"
    }
    var declaration: String? { argument }
    var shape: String? { argument.map { "\(location) \($0.dropFirst(name.count))" } }
    var addition: Change.Kind {
        switch presence {
        case .required: .source
        case .optional: .additive
        case .defaulted, .credential, .constant, .callID: .behaviour
        }
    }
    func kind(changedTo other: Parameter) -> Change.Kind {
        guard isReplaceable(by: other) else { return .source }
        return presence == .required ? .additive : .behaviour
    }
}

extension Model: DeclaredPart {
    static let noun = "model"
    static let declared = [
        "name", "qualifiedName", "inlinePlace", "conformances", "isRead", "isWritten",
        "kind.isInteger",
    ]
    var title: String { inlinePlace == nil ? Self.noun : "type `\(name)`" }
    var key: String { inlinePlace == nil ? apiName : name }
    func subject(in parent: String) -> String? {
        parent == APIComparison.api ? inlinePlace ?? name : "\(parent).\(name)"
    }
    var shape: String? {
        guard inlinePlace == nil else { return nil }
        return switch kind {
        case .object(let fields): fields.map(\.swiftDeclaration).joined(separator: ", ")
        case .enumeration(let values): values.cases.map(\.value).joined(separator: ", ")
        case .union(let union): union.cases.map(\.swiftDeclaration).joined(separator: ", ")
        }
    }
    func kind(changedTo other: Model) -> Change.Kind {
        isReplaceable(by: other) ? .additive : .source
    }
}

extension Field: DeclaredPart {
    static let noun = "field"
    /// The initializer has the fields in their order.
    static let order = Change.Kind.source
    static let declared = [
        "name", "value.type", "value.isNullable", "isOptional", "defaultValue",
    ]
    var shape: String? { String(swiftDeclaration.dropFirst(name.count)) }
    var addition: Change.Kind { hasInitialValue ? .additive : .source }
    func kind(changedTo other: Field) -> Change.Kind {
        guard isReplaceable(by: other) else { return .source }
        return hasInitialValue ? .behaviour : .additive
    }
}

extension EnumerationCase: NamedPart {
    static let noun = "case"
    static let order = Change.Kind.behaviour
    static let declared = ["name"]
    var key: String { value }
    var declaration: String? { name }
}

extension UnionCase: DeclaredPart {
    static let noun = "alternative"
    static let declared = ["name", "value.type", "value.isNullable"]
    var key: String { apiName }
    /// A `switch` over the cases of an enumeration has no `default`.
    var addition: Change.Kind { .source }
}

extension StatusCase: DeclaredPart {
    static let noun = "reply"
    static let declared = ["name", "output"]
    var key: String { String(status) }
    var addition: Change.Kind { .source }
}

extension ErrorCase: NamedPart {
    static let noun = "error"
    static let declared = ["name"]
    var key: String { code }
    var declaration: String? { name }
    func subject(in parent: String) -> String? { "errors.\(name)" }
}

extension Extraction: DeclaredPart {
    static let noun = "extraction"
    static let declared = ["name", "methodName", "value.type", "mayMiss", "container"]
}

extension Join: NamedPart {
    static let noun = "lookup"
    static let declared = ["name", "typeName", "keyType"]
    var declaration: String? { "\(name)() -> [\(keyType.swift): \(typeName)]" }
}

extension JoinSource: ComparedPart {
    static let noun = "alternative"
    static let declared = ["caseName", "element"]
    var partName: String { caseName }
    var declaration: String? { "\(caseName)(\(element.swift))" }
    var addition: Change.Kind { .source }
}

/// A part that app code does not refer to.
protocol Setting: ComparedPart {}

extension Setting {
    static var order: Change.Kind { .behaviour }
    var declaration: String? { nil }
    var addition: Change.Kind { .behaviour }
    func subject(in parent: String) -> String? { nil }
}

extension Server: Setting, NamedPart {
    static let noun = "server"
}

extension ServerVariable: Setting, NamedPart {
    static let noun = "variable"
}

extension QueueRules: Setting, NamedPart {
    static let noun = "queue"
}

extension SessionRules: Setting, NamedPart {
    static let noun = "session"
}

extension AuthRules: Setting, NamedPart {
    static let noun = "scheme"
}

extension Rule: Setting {
    static let noun = "rule"
    var partName: String { name.rawValue }
}

extension CrossRule: Setting, NamedPart {
    static let noun = "rule"
}
