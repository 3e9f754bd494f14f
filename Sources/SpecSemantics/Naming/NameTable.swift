import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The Swift names that a client declares, by scope. Two declarations of one name are an error.
struct NameTable {
    /// The type names of the module.
    private var module = NameScope("the module")
    /// The nested type names, by the qualified name of the model.
    private var nested: [String: NameScope] = [:]
    /// The properties of the manager.
    private var properties = NameScope("the API")
    private var methodCases = NameScope("`APIMethod`")
    /// The functions of a group, by its name.
    private var functions: [String: NameScope] = [:]

    /// The declared type names of the module.
    var types: Set<String> { module.declared }

    mutating func declareAPI(
        _ name: String, for what: String, at span: Span, into bag: inout DiagnosticBag
    ) {
        module.declare(name, for: what, at: span, into: &bag)
    }

    /// Declares the property and the types of a group.
    mutating func declare(_ group: GroupSyntax, _ names: GroupNames, into bag: inout DiagnosticBag)
    {
        let place = group.span.part(0..<0)
        let what = "group `\(group.path)`"
        let help = "rename one of them; a group is named after its file"
        if ReservedNames.managerProperties.contains(names.property) {
            bag.report(
                .reservedName, "`\(names.property)` is a property of every manager", at: place,
                help: "rename the file: a group is named after it")
        }
        properties.declare(names.property, for: what, at: place, into: &bag, help: help)
        for type in names.types {
            module.declare(type, for: what, at: place, into: &bag, help: help)
        }
    }

    /// Declares the protocol of a capability.
    mutating func declare(_ capability: CapabilitySyntax, into bag: inout DiagnosticBag) {
        let name = capability.name
        module.declare(
            name.value, for: "capability `\(name.value)`", at: name.span, into: &bag,
            help: "rename one of them")
        Self.checkTypeName(
            name.value, at: name.span, into: &bag, help: "give the capability another name")
    }

    /// Declares a generated type of the module.
    mutating func declare(
        type name: String, for what: String, at span: Span, into bag: inout DiagnosticBag
    ) {
        module.declare(name, for: what, at: span, into: &bag)
    }

    /// Declares the function and the case of a method.
    mutating func declare(_ method: ResolvedMethod, into bag: inout DiagnosticBag) {
        let what = "method `\(method.apiName)`"
        let span = method.syntax.name.span
        let group = method.group.name
        methodCases.declare(method.caseName, for: what, at: span, into: &bag)
        functions[group, default: NameScope("group `\(group)`")]
            .declare(method.name, for: what, at: span, into: &bag)
        if let pages = method.syntax.pages {
            functions[group]?.declare(
                Method.pagesName(method.name), for: "`pages` of \(what)", at: pages.span,
                into: &bag, help: "rename one of the methods: `swift: { name: … }`")
        }
    }

    /// Declares a model.
    mutating func declare(_ entry: SymbolTable.Entry, into bag: inout DiagnosticBag) {
        let name = entry.syntax.name
        module.declare(
            entry.swiftName, for: "model `\(name.value)`", at: name.span, into: &bag)
        Self.checkTypeName(entry.swiftName, at: name.span, into: &bag)
    }

    /// Declares an inline type. `owner` is the name of its model in messages.
    mutating func declare(
        inline model: Model, in context: TypeContext, of owner: String,
        into bag: inout DiagnosticBag
    ) {
        let what = "the type of `\(context.writtenKey ?? context.key)`"
        Self.checkTypeName(model.name, in: context.parent, at: context.span, into: &bag)
        if context.parent.isEmpty {
            module.declare(model.name, for: what, at: context.span, into: &bag)
        } else {
            nested[context.parent, default: NameScope("model `\(owner)`")]
                .declare(model.name, for: what, at: context.span, into: &bag)
        }
    }

    /// Reports a type name that generated code could not use.
    ///
    /// - Parameter parent: The model that the type is declared in; empty: the module.
    static func checkTypeName(
        _ name: String, in parent: String = "", at span: Span, into bag: inout DiagnosticBag,
        help: String = "give the model another name: `swift: { name: … }`"
    ) {
        if !SwiftNamer.isIdentifier(name) {
            bag.report(
                .badSwiftName, "`\(name)` is not a Swift identifier", at: span,
                help: "use letters, digits and `_`, no digit first")
        } else if name.first?.isLowercase == true {
            bag.report(
                .badSwiftName, "`\(name)` begins with a small letter, like a value", at: span,
                help: "begin the name of a type with a capital letter")
        } else if ReservedNames.types(in: parent).contains(name) {
            bag.report(
                .reservedName, "`\(name)` is a type that generated code uses", at: span,
                help: help)
        }
    }
}
