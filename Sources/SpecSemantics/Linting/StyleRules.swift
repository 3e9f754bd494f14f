import SpecDiagnostics
import SpecIR
import SpecSecretNames
import SpecSyntax

/// What some teams ask of a spec beyond what is right. Each rule is off unless `lint` names its code.
struct StyleRules {
    private let spec: Spec
    private var bag = DiagnosticBag()

    /// All rules, each with the code that it reports.
    private static let all: [(code: DiagnosticCode, check: @Sendable (inout StyleRules) -> Void)] =
        [
            (.undocumentedMethod, { $0.checkMethods() }),
            (.undocumentedField, { $0.checkFields() }),
            (.nameInOtherCase, { $0.checkNames() }), (.undocumentedCase, { $0.checkCases() }),
            (.unstatedSecret, { $0.checkSecrets() }), (.listWithoutPages, { $0.checkPages() }),
        ]

    /// Runs the rules whose level is not `off`.
    static func check(
        _ spec: Spec, into bag: inout DiagnosticBag, level: (DiagnosticCode) -> LintLevel
    ) {
        var rules = StyleRules(spec: spec)
        for (code, check) in all where level(code) != .off { check(&rules) }
        bag.report(contentsOf: rules.bag)
    }

    private var methods: [MethodSyntax] { spec.groups.flatMap(\.methods) }
    private var models: [ModelSyntax] { spec.groups.flatMap(\.models) }

    // MARK: Documentation

    private mutating func checkMethods() {
        for method in methods where method.documentation.text == nil {
            bag.report(
                .undocumentedMethod, "method `\(method.name.value)` has no `doc`",
                at: method.name.span, help: "say in a sentence what it does")
        }
    }

    private mutating func checkFields() {
        for model in models {
            for field in model.type.allFields
            where field.type.attributes.documentation.text == nil && !field.isAdditional {
                bag.report(
                    .undocumentedField,
                    "field `\(field.key.value)` of `\(model.name.value)` has no `doc`",
                    at: field.key.span, help: "write `{ type: …, doc: What it is. }`")
            }
        }
    }

    private mutating func checkCases() {
        let settings =
            [spec.api?.settings] + spec.groups.map(\.settings) + methods.map(\.settings)
        for error in settings.compactMap({ $0?.errors }).flatMap(\.cases)
        where error.documentation.text == nil {
            bag.report(
                .undocumentedCase, "error case `\(error.name.value)` has no `doc`",
                at: error.name.span, help: "write `{ code: …, doc: When it comes. }`")
        }
    }

    // MARK: Names

    private static let notNamed: Set<Parameter.Location> = [.header, .body]

    /// Names of fields and parameters are in the case that most of them have.
    private mutating func checkNames() {
        let parameters = methods.flatMap(\.parameters).filter { parameter in
            parameter.location.map { !Self.notNamed.contains($0) } ?? true
        }
        let fields = models.flatMap(\.type.allFields) + parameters
        let names = fields.filter { !$0.isAdditional }.map(\.sentKey)
        let cased = names.compactMap { name in NameCase(name.value).map { (name, $0) } }
        let counts = Dictionary(cased.map { ($0.1, 1) }, uniquingKeysWith: +)
        let usual = counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
        for (name, own) in cased where own != usual {
            guard let usual else { return }
            bag.report(
                .nameInOtherCase,
                "`\(name.value)` is in \(own.rawValue) case, and most names are in "
                    + "\(usual.rawValue) case",
                at: name.span,
                help: "if the server calls it so, write `# telex:ignore \(Self.nameCode) why` "
                    + "behind it")
        }
    }

    private static let nameCode = DiagnosticCode.nameInOtherCase.id

    // MARK: Secrets and pages

    private static let secretTypes: Set<String> = ["string", "int", "uint", "bytes", "text"]

    private mutating func checkSecrets() {
        let fields = models.flatMap(\.type.allFields) + methods.flatMap(\.parameters)
        for field in fields where field.type.attributes.isSensitive == nil {
            guard case .named(let name) = field.type.form, Self.secretTypes.contains(name),
                SecretName.isSuspicious(field.sentKey.value)
            else { continue }
            bag.report(
                .unstatedSecret,
                "`\(field.key.value)` is named like a secret, and says nothing of it",
                at: field.key.span,
                help: "write `sensitive: true` or `sensitive: false`")
        }
    }

    private static let limits: Set<String> = [
        "limit", "count", "size", "perpage", "pagesize", "maxresults", "first", "top",
    ]

    private mutating func checkPages() {
        let lists = Set(models.filter { $0.type.hasList }.map(\.name.value))
        for method in methods where method.pages == nil && method.call.stream == nil {
            let limit = method.parameters.first {
                Self.limits.contains($0.key.value.lowercased().filter(\.isLetter))
            }
            guard let limit, let type = method.returns, type.isList(or: lists) else { continue }
            bag.report(
                .listWithoutPages,
                "`\(method.name.value)` returns a part of a list without `pages`",
                at: method.name.span, notes: [.init("its limit", at: limit.key.span)],
                help: "say how the parts follow one another: `pages: { items: …, offset: … }`")
        }
    }
}

/// The case of a name of several words.
private enum NameCase: String {
    case snake, kebab, camel, pascal

    /// The case; nil for a name that is of no case or of several.
    init?(_ name: String) {
        guard name.allSatisfy({ $0.isASCII }) else { return nil }
        if name.wholeMatch(of: #/[a-z0-9]+(_[a-z0-9]+)+/#) != nil {
            self = .snake
        } else if name.wholeMatch(of: #/[a-z0-9]+(-[a-z0-9]+)+/#) != nil {
            self = .kebab
        } else if name.wholeMatch(of: #/[a-z][a-z0-9]*([A-Z][A-Za-z0-9]*)+/#) != nil {
            self = .camel
        } else if name.wholeMatch(of: #/[A-Z][a-z0-9]+([A-Z][A-Za-z0-9]*)*/#) != nil {
            self = .pascal
        } else {
            return nil
        }
    }
}

extension TypeSyntax {
    /// The fields of an object, and of all objects inside.
    fileprivate var allFields: [ParameterSyntax] {
        switch form {
        case .object(let fields): fields + fields.flatMap(\.type.allFields)
        case .list(let type), .map(_, let type): type.allFields
        case .union(let union): union.alternatives.flatMap(\.type.allFields)
        case .named, .enumeration, .invalid: []
        }
    }

    fileprivate var hasList: Bool {
        guard case .object(let fields) = form else { return false }
        return fields.contains { if case .list = $0.type.form { true } else { false } }
    }

    fileprivate func isList(or models: Set<String>) -> Bool {
        switch form {
        case .list: true
        case .named(let name): models.contains(name)
        default: hasList
        }
    }
}
