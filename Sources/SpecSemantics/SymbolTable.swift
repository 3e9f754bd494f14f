import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The symbol table of a spec: the declarations of all its files by name.
struct SymbolTable {
    /// A model as declared.
    struct Entry {
        let syntax: ModelSyntax
        /// The index of the group it is declared in.
        let group: Int
        /// Its Swift name.
        let swiftName: String
        /// Its kind: an alias is expanded, other models become Swift types.
        let kind: Kind
    }

    enum Kind {
        case alias, object, enumeration, union
    }

    private(set) var models: [String: Entry] = [:]
    /// Names of invalid declarations, whose uses are not reported.
    private(set) var rejected: Set<String> = []
    private var names: [String: String] = [:]
    private(set) var servers: [String: Span] = [:]
    let namer: SwiftNamer

    init(_ spec: Spec, namer: SwiftNamer, bag: inout DiagnosticBag) {
        self.namer = namer
        for (index, group) in spec.groups.enumerated() {
            for model in group.models { declare(model, group: index, bag: &bag) }
        }
        for server in spec.api?.servers ?? [] { servers[server.name.value] = server.name.span }
    }

    private mutating func declare(_ model: ModelSyntax, group: Int, bag: inout DiagnosticBag) {
        let name = model.name
        if let first = models[name.value] {
            bag.report(
                .duplicateModel, "model `\(name.value)` is declared twice", at: name.span,
                notes: [Diagnostic.Note("first declared here", at: first.syntax.name.span)],
                help: "models are visible in all files of the folder: one declaration is enough")
            return
        }
        rejected.insert(name.value)
        if TypeNames.scalars.contains(name.value) {
            bag.report(
                .reservedName, "`\(name.value)` is a type of the language", at: name.span,
                help: "give the model another name")
            return
        }
        let given = model.type.attributes.swift.name
        guard let swift = given?.value ?? namer.typeName(name.value) else {
            bag.report(
                .noSwiftName, "`\(name.value)` cannot become a Swift name", at: name.span,
                help: "give it one: `swift: { name: … }`")
            return
        }
        rejected.remove(name.value)
        models[name.value] = Entry(
            syntax: model, group: group, swiftName: swift, kind: Self.kind(of: model.type))
        if names[swift] == nil { names[swift] = name.value }
    }

    /// The model with a Swift name; the first one if two collide.
    func model(swiftName: String) -> Entry? { names[swiftName].flatMap { models[$0] } }

    private static func kind(of type: TypeSyntax) -> Kind {
        switch type.form {
        case .object: .object
        case .enumeration: .enumeration
        case .union: .union
        default: .alias
        }
    }
}
