import Foundation
import SpecDiagnostics
import SpecIR
import SpecInterpreter
import SpecSemantics
import SpecSyntax
import TelexCompiler
import TelexJSON
import TelexTemplates

/// A compiled spec as a mock serves it.
public struct MockSpec: Sendable {
    /// The spec.
    public let api: API
    let models: MockModels
    let interpreter: SpecInterpreter
    let sources: ParameterPlaces
    let router: Router
    let resources: Resources
    let places: AuthPlaces
    /// The replies of templates, by method.
    let templates: [String: JSONValue]

    /// Prepares a spec; nil if it has errors.
    public init?(_ compilation: Compilation) {
        guard let api = compilation.api else { return nil }
        self.api = api
        models = MockModels(api)
        interpreter = SpecInterpreter(api)
        sources = ParameterPlaces(compilation)
        router = Router(api)
        resources = Resources(router).withIDs(models)
        places = AuthPlaces(compilation)
        let methods = api.groups.flatMap(\.methods)
        let replies = methods.compactMap { method -> (String, JSONValue)? in
            guard let reply = method.template?.reply.json,
                let template = try? Template(
                    parsing: Array(reply.utf8),
                    compatibility: api.templates == .original ? .original : .documented)
            else { return nil }
            return (method.apiName, template.sample)
        }
        templates = Dictionary(replies) { first, _ in first }
    }

    /// The rules of a successful reply of a method.
    func success(_ method: SpecIR.Method) -> SuccessRules { method.reply ?? api.reply }

    /// The error format of a method.
    func errors(_ method: SpecIR.Method?) -> ErrorRules? { method?.errors ?? api.errors }

    /// The keys of sensitive values.
    var secrets: Set<String> {
        let fields = models.byName.values.flatMap { model -> [Field] in
            if case .object(let fields) = model.kind { fields } else { [] }
        }
        return Set(fields.filter(\.isSensitive).map(\.key))
    }
}

/// Where the schemes of a spec are declared.
struct AuthPlaces: Sendable {
    private let tokens: [String]
    private let expiries: [String]

    init(_ compilation: Compilation) {
        let schemes = compilation.spec.api?.schemes ?? []
        let place = { (span: Span, words: String) in "\(words), \(compilation.place(of: span))" }
        tokens = schemes.map { place($0.span, "auth.\($0.scheme.value)") }
        expiries = schemes.map { scheme in
            place(scheme.expired?.span ?? scheme.span, "auth.\(scheme.scheme.value).expired")
        }
    }

    /// The name and the place of a scheme, by its number.
    func scheme(_ number: Int) -> String { tokens.indices.contains(number) ? tokens[number] : "" }

    /// The name and the place of the signs of an expired token of a scheme.
    func expiry(_ number: Int) -> String {
        expiries.indices.contains(number) ? expiries[number] : ""
    }
}
