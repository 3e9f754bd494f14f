import SpecDiagnostics
import SpecSyntax

/// What holds for one method, and where each value was said.
public struct MethodExplanation: Sendable {
    /// The API's name of the method.
    public let name: String
    /// The values, in the order they matter to a reader.
    public let values: [ExplainedValue]
}

/// One value that holds for a method.
public struct ExplainedValue: Sendable {
    /// Where a value comes from.
    public enum Origin: String, Sendable {
        /// `api.yaml`
        case api
        /// The group's file.
        case group
        /// The method itself.
        case method
    }

    /// What it says, for instance `timeout`.
    public let name: String
    /// The value, as a person would write it.
    public let value: String
    /// Where it was said.
    public let span: Span
    /// Whose it is.
    public let origin: Origin
}

extension [ExplainedValue] {
    mutating func add(
        _ name: String, _ value: String, _ span: Span, _ origin: ExplainedValue.Origin
    ) {
        append(ExplainedValue(name: name, value: value, span: span, origin: origin))
    }

    /// Adds the nearest value of a setting; nothing if no layer has one.
    mutating func add<Settings>(
        _ name: String, _ layers: [(ExplainedValue.Origin, Settings)],
        _ value: (Settings) -> (String, Span)?
    ) {
        for (origin, settings) in layers {
            guard let (text, span) = value(settings) else { continue }
            add(name, text, span, origin)
            return
        }
    }
}

extension SpecAnalyzer {
    /// What holds for a method, or `nil` if the spec has none of that name. The group may be left out
    /// where one only has a method of the name.
    public static func explain(_ method: String, in spec: Spec) -> MethodExplanation? {
        guard let api = spec.api else { return nil }
        var analyzer = Analyzer(spec, api)
        let all = spec.groups.flatMap { group in
            group.methods.map { syntax in
                let groupName = analyzer.groupName(group)
                let name = analyzer.fullName(syntax.name.value, in: groupName)
                return (name: name, group: group, syntax: syntax)
            }
        }
        let short = all.filter { $0.syntax.name.value == method }
        let found = all.first { $0.name == method } ?? (short.count == 1 ? short[0] : nil)
        guard let found else { return nil }
        let explainer = Explainer(
            api: api, group: found.group, method: found.syntax,
            isWholeAddress: analyzer.isWholeAddress(found.name, api))
        return MethodExplanation(name: found.name, values: explainer.values)
    }

    /// The names of all methods, sorted.
    public static func methodNames(in spec: Spec) -> [String] {
        guard let api = spec.api else { return [] }
        let analyzer = Analyzer(spec, api)
        return spec.groups.flatMap { group in
            group.methods.map {
                analyzer.fullName($0.name.value, in: analyzer.groupName(group))
            }
        }.sorted()
    }
}

extension Analyzer {
    /// Whether the caller gives the whole address of a method. Its path may have a type of any name.
    fileprivate mutating func isWholeAddress(_ name: String, _ syntax: APISyntax) -> Bool {
        let methods = api(syntax).groups.lazy.flatMap(\.methods)
        return methods.first { $0.apiName == name }?.isWholeAddress == true
    }
}

/// Collects what holds for a method.
private struct Explainer {
    private(set) var values: [ExplainedValue] = []

    init(api: APISyntax, group: GroupSyntax, method: MethodSyntax, isWholeAddress: Bool) {
        let layers: [(ExplainedValue.Origin, SettingsSyntax)] = [
            (.method, method.settings), (.group, group.settings), (.api, api.settings),
        ]
        if let verb = method.verb, let path = method.path {
            values.add(verb.value.lowercased(), path.value, path.span, .method)
        }
        addServer(api, layers)
        addAuth(api, layers)
        values += OperationExplanation(api, layers.map { ($0, $1.operation) }, method).values
        values.add("dates", layers) { $0.dates.map { ($0.value, $0.span) } }
        values.add("success", layers) { settings in
            settings.success?.statuses.map { (Self.shown($0.value), $0.span) }
        }
        values.add("absent", layers) { $0.success?.absent.map { (Self.shown($0.value), $0.span) } }
        values.add("present", layers) {
            $0.success?.present.map { (Self.shown($0.value), $0.span) }
        }
        values.add("where", layers) {
            $0.success?.conditions.map { (Self.shown($0.value), $0.span) }
        }
        // A download is written to its file as it comes, whatever the API's replies are wrapped in.
        if method.call.kind?.value != "download" {
            values.add("unwrap", layers) {
                $0.unwrap.map { (Self.shown($0.value), $0.span) }
            }
        }
        if let errors = api.errors { add(errors) }
        // A whole address is complete.
        addParameters(isWholeAddress ? [] : api.parameters, group, method)
        if let body = method.body { values.add("body", Self.shown(body), body.span, .method) }
        if let returns = method.returns {
            values.add("returns", Self.shown(returns), returns.span, .method)
        }
    }

    private mutating func addServer(
        _ api: APISyntax, _ layers: [(ExplainedValue.Origin, SettingsSyntax)]
    ) {
        let count = values.count
        values.add("server", layers) { settings in
            settings.server.map { name in
                let url = api.servers.first { $0.name.value == name.value }?.url.value
                return (name.value + (url.map { " (\($0))" } ?? ""), name.span)
            }
        }
        if values.count == count, let first = api.servers.first {
            values.add("server", "\(first.name.value) (\(first.url.value))", first.name.span, .api)
        }
    }

    private mutating func addAuth(
        _ api: APISyntax, _ layers: [(ExplainedValue.Origin, SettingsSyntax)]
    ) {
        values.add("auth", layers) {
            $0.isAuthenticated.map { ($0.value ? "required" : "none", $0.span) }
        }
        let isWanted = layers.lazy.compactMap { $1.isAuthenticated?.value }.first ?? true
        guard isWanted, let auth = api.auth, let place = auth.placement else { return }
        let name = auth.name.map { " \($0.value)" } ?? ""
        values.add("auth", "token in \(place.value)\(name)", auth.span, .api)
        let count = values.count
        values.add("expired", layers) { $0.expired.map { ($0.shown, $0.span) } }
        if values.count == count, let expired = auth.expired {
            values.add("expired", expired.shown, expired.span, .api)
        }
        if let refresh = auth.refresh { add(refresh) }
    }

    private mutating func add(_ refresh: RefreshSyntax) {
        switch refresh {
        case .app(let span): values.add("refresh", "app", span, .api)
        case .request(let request):
            if let url = request.url { values.add("refresh", "post \(url.value)", url.span, .api) }
        }
    }

    private mutating func add(_ errors: ErrorsSyntax) {
        let paths = [
            ("errors at", errors.at), ("error code", errors.code),
            ("error message", errors.message),
        ]
        for (name, path) in paths {
            if let path { values.add(name, Self.shown(path.value), path.span, .api) }
        }
        if let retryAfter = errors.retryAfter {
            let unit = retryAfter.isInMilliseconds ? ", in ms" : ", in s"
            values.add(
                "error retry-after", Self.shown(retryAfter.at.value) + unit, retryAfter.at.span,
                .api)
        }
        if let first = errors.cases.first {
            let names = errors.cases.map(\.name.value).joined(separator: ", ")
            values.add("error cases", names, first.name.span, .api)
        }
    }

    /// Adds what is sent: of one place and name the nearest. What may be left out leaves its place
    /// to a value of every request.
    private mutating func addParameters(
        _ base: [ParameterSyntax], _ group: GroupSyntax, _ method: MethodSyntax
    ) {
        let own = Set(method.parameters.map(Analyzer.identity))
        let inherited = group.parameters.filter { !own.contains(Analyzer.identity(of: $0)) }
        let always = (inherited + method.parameters).filter(\.isAlwaysSent)
        let taken = Set(always.map(Analyzer.identity))
        for parameter in base where !taken.contains(Analyzer.identity(of: parameter)) {
            add(parameter, .api)
        }
        for parameter in inherited { add(parameter, .group) }
        for parameter in method.parameters { add(parameter, .method) }
    }

    private mutating func add(_ parameter: ParameterSyntax, _ origin: ExplainedValue.Origin) {
        let name = "\(parameter.location.rawValue) \(parameter.key.value)"
        var value = Self.shown(parameter.type)
        let attributes = parameter.type.attributes
        if let constant = attributes.constant {
            value = "always \(Self.shown(constant))"
        } else if let given = attributes.defaultValue {
            value += ", default \(Self.shown(given))"
        }
        for rule in attributes.rules {
            value += ", \(rule.name.value) \(Self.shown(rule.argument))"
        }
        values.add(name, value, parameter.key.span, origin)
    }

    // MARK: Words

    private static func shown(_ statuses: [ClosedRange<Int>]) -> String {
        statuses.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)"
        }.joined(separator: ", ")
    }

    private static func shown(_ path: [String]) -> String {
        path.isEmpty ? "none" : path.joined(separator: ".")
    }

    private static func shown(_ conditions: [SuccessConditionSyntax]) -> String {
        if conditions.isEmpty { return "none" }
        return conditions.map { condition in
            let values = condition.values.map { value in
                switch value.value {
                case .flag(let flag): "\(flag)"
                case .integer(let integer): "\(integer)"
                case .text(let text): text
                }
            }
            return "\(shown(condition.path.value)): \(values.joined(separator: " or "))"
        }.joined(separator: ", ")
    }

    static func shown(_ type: TypeSyntax) -> String {
        let base =
            switch type.form {
            case .named(let name): name
            case .list(let element): "[\(shown(element))]"
            case .map(let key, let value): "{\(shown(key)): \(shown(value))}"
            case .object(let fields): "{\(fields.map(\.key.value).joined(separator: ", "))}"
            case .enumeration(let values):
                "one of " + values.cases.map(\.value.text).joined(separator: ", ")
            case .invalid: "?"
            }
        return base + (type.optional == nil ? "" : "?") + (type.nullable == nil ? "" : " | null")
    }

    private static func shown(_ node: YAMLNode) -> String {
        switch node.kind {
        case .scalar: node.text
        case .sequence: "[\(node.items.map { shown($0) }.joined(separator: ", "))]"
        case .mapping:
            "{\(node.entries.map { "\($0.key.text): \(shown($0.value))" }.joined(separator: ", "))}"
        }
    }
}

extension ExpirySyntax {
    fileprivate var shown: String {
        let signs = statuses.map { "\($0.value)" } + codes.map { "error \($0.value)" }
        return signs.isEmpty ? "none" : signs.joined(separator: ", ")
    }
}

extension ParameterSyntax {
    /// Whether every call has it: it may not be left out, or has a value then.
    fileprivate var isAlwaysSent: Bool {
        // The credential may have no such value.
        let isCredential = type.attributes.defaultValue?.text.hasPrefix("$token.") == true
        return type.optional == nil && !isCredential
    }
}
