import TelexJSON
public import TemplateRules

/// The template of a method in generated code.
public struct MethodTemplate: Sendable {
    /// The API's name of the method.
    public let method: String
    /// The HTTP method, such as `GET`.
    public let verb: String
    /// The path as the spec has it, with `{name}` for parameters.
    public let path: String
    /// Whether replies are checked with it, because it asks for more than the declared types.
    let isChecked: Bool
    let text: String

    /// Describes a template whose text the compiler has checked.
    public init(
        _ method: String, _ verb: String, _ path: String, isChecked: Bool = false, _ text: String
    ) {
        self.method = method
        self.verb = verb
        self.path = path
        self.isChecked = isChecked
        self.text = text
    }
}

/// The templates of an API in generated code. Each is parsed when it is first asked for.
public struct APITemplates: Sendable {
    /// The methods with a template, in the order of the spec.
    public let methods: [MethodTemplate]
    private let places: [String: Int]
    private let compatibility: TemplateCompatibility
    private let parsed = ParsedTemplates()

    /// Creates the templates of an API; each method has at most one.
    ///
    /// - Parameters:
    ///   - methods: The templates.
    ///   - compatibility: The meaning of the rules.
    public init(
        _ methods: [MethodTemplate] = [], compatibility: TemplateCompatibility = .documented
    ) {
        self.methods = methods
        self.compatibility = compatibility
        places = Dictionary(methods.enumerated().map { ($1.method, $0) }) { first, _ in first }
    }

    /// The template of a method, by the API's name; nil if it has none.
    public subscript(method: String) -> Template? {
        places[method].flatMap { parsed.template(methods[$0], compatibility) }
    }

    /// The template by which the replies of a method are checked; nil if their types say as much.
    package func check(of method: String) -> Template? {
        guard let place = places[method], methods[place].isChecked else { return nil }
        return parsed.template(methods[place], compatibility)
    }
}

/// The templates that were parsed so far.
private final class ParsedTemplates: Sendable {
    private let templates = Lock<[String: Template]>([:])

    func template(_ method: MethodTemplate, _ compatibility: TemplateCompatibility) -> Template? {
        if let known = templates.withLock({ $0[method.method] }) { return known }
        let bytes = Array(method.text.utf8)
        guard let template = try? Template(parsing: bytes, compatibility: compatibility) else {
            return nil
        }
        templates.withLock { $0[method.method] = template }
        return template
    }
}
