import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Makes the index of symbols from a syntax tree.
struct SymbolCollector {
    var index = SymbolIndex()
    let spec: Spec
    let sources: SourceMap
    let models: [String: ModelSyntax]
    let methods: [String: Symbol]
    private let files: Set<FileID>
    private var settings: [Symbol.Kind: [String: Symbol]] = [:]

    /// - Parameter files: The files of the folder. The tree may have parts from other sources.
    init(_ spec: Spec, _ sources: SourceMap, files: Set<FileID>) {
        self.spec = spec
        self.sources = sources
        self.files = files
        let declared = spec.groups.flatMap(\.models).filter { files.contains($0.name.span.file) }
        models = Dictionary(declared.map { ($0.name.value, $0) }) { first, _ in first }
        let named = spec.groups.flatMap { group in
            group.methods.map { method in
                let name = MethodSyntax.fullName(method.name.value, in: group.name)
                return (name, Symbol(kind: .method, name: name, place: method.name.inner))
            }
        }
        methods = Dictionary(named) { first, _ in first }
        for template in spec.templates {
            let (name, start) = (template.name, template.source.start)
            let symbol = Symbol(kind: .template, name: name, place: start)
            index.declare(
                Declaration(
                    symbol: symbol, whole: template.source.all, owner: "templates", type: nil,
                    text: nil))
        }
        if let api = spec.api { add(api) }
        for group in spec.groups { add(group) }
    }

    private mutating func add(_ api: APISyntax) {
        for server in api.servers { setting(.server, server.name) }
        for queue in api.queues { setting(.queue, queue.name) }
        for session in api.sessions { setting(.session, session.name) }
        for parameter in api.parameters { self.parameter(parameter, of: "") }
        add(api.sharedPath, of: "")
        for scheme in api.schemes {
            setting(.scheme, scheme.scheme)
            for code in scheme.expired?.codes ?? [] { useCase(code, among: [api.settings]) }
            if case .method(let refresh)? = scheme.refresh { useMethod(refresh.method, in: nil) }
        }
        add(api.settings, owner: "", scopes: [])
    }

    /// Declares a name of `api.yaml`.
    private mutating func setting(_ kind: Symbol.Kind, _ name: Located<String>) {
        settings[kind, default: [:]][name.value] = declare(kind, name, whole: name.span, owner: "")
    }

    private mutating func add(_ group: GroupSyntax) {
        for parameter in group.parameters { self.parameter(parameter, of: group.name) }
        add(group.sharedPath, of: group.name)
        add(group.settings, owner: group.name, scopes: apiSettings)
        for capability in group.capabilities {
            for method in capability.methods { useMethod(method, in: group.name) }
        }
        for model in group.models where files.contains(model.name.span.file) {
            add(model, of: group)
        }
        for method in group.methods { add(method, of: group) }
    }

    private var apiSettings: [SettingsSyntax] { spec.api.map { [$0.settings] } ?? [] }

    private mutating func add(_ model: ModelSyntax, of group: GroupSyntax) {
        let name = model.name
        declare(
            .model, name, whole: name.span.joined(with: model.type.extent), owner: group.name,
            type: model.type)
        var scope: [String: Symbol] = [:]
        for parameter in model.parameters {
            scope[parameter.value] = declare(
                .typeParameter, parameter, whole: parameter.span, owner: name.value)
        }
        add(model.type, of: name.value, scope)
    }

    private mutating func add(_ method: MethodSyntax, of group: GroupSyntax) {
        let name = MethodSyntax.fullName(method.name.value, in: group.name)
        let symbol = Symbol(kind: .method, name: name, place: method.name.inner)
        index.declare(
            Declaration(
                symbol: symbol, whole: method.name.span.joined(with: method.span),
                owner: group.name, type: method.returns, text: method.documentation.text?.value))
        addCalls(of: method, named: name, in: group)
        addReplies(of: method, named: name)
        addTemplate(of: method, symbol, in: group)
        add(method.settings, owner: name, scopes: apiSettings + [group.settings])
        if let use = method.documentation.deprecation?.use { useMethod(use, in: group.name) }
    }

    // MARK: Settings

    /// - Parameter scopes: The settings around these, the nearest one last.
    private mutating func add(
        _ own: SettingsSyntax, owner: String, scopes: [SettingsSyntax]
    ) {
        let all = scopes + [own]
        if let server = own.server { use(.server, server) }
        for scheme in own.auth?.value.names ?? [] { use(.scheme, scheme) }
        for code in own.expired?.codes ?? [] { useCase(code, among: all) }
        if let queue = own.operation.queue, let name = queue.value {
            use(.queue, Located(name, at: queue.span))
        }
        if let session = own.operation.session {
            use(.session, Located(session.value.word, at: session.span))
        }
        for condition in own.operation.retry?.conditions?.value ?? [] {
            guard case .errorCase(let name) = condition.value else { continue }
            useCase(Located(name, at: condition.span), among: all)
        }
        guard let errors = own.errors else { return }
        if let model = errors.model { use(.model, model) }
        let types = errors.model.flatMap { models[$0.value]?.type }.map { [$0] } ?? []
        if let code = errors.code { follow(code.span, from: types) }
        if let message = errors.message { follow(message.span, from: types) }
        for item in errors.cases {
            declare(
                .errorCase, item.name, whole: item.name.span, owner: owner,
                text: item.documentation.text?.value)
            if let model = item.model { use(.model, model) }
        }
    }

    // MARK: Names

    /// Declares a name.
    @discardableResult
    mutating func declare(
        _ kind: Symbol.Kind, _ name: Located<String>, whole: Span, owner: String,
        type: TypeSyntax? = nil, text: String? = nil
    ) -> Symbol {
        let symbol = Symbol(kind: kind, name: name.value, place: name.inner)
        index.declare(
            Declaration(
                symbol: symbol, whole: whole, owner: owner, type: type,
                text: text ?? type?.attributes.documentation.text?.value))
        return symbol
    }

    /// Adds a use of a name that all files see.
    mutating func use(_ kind: Symbol.Kind, _ name: Located<String>) {
        let known =
            kind == .model
            ? models[name.value].map { Symbol(kind: kind, name: name.value, place: $0.name.inner) }
            : settings[kind]?[name.value]
        use(known ?? Symbol(kind: kind, name: name.value, place: nil), at: name)
    }

    /// Adds a use of an error case: the nearest one of its name.
    private mutating func useCase(_ name: Located<String>, among scopes: [SettingsSyntax]) {
        let cases = scopes.reversed().flatMap { $0.errors?.cases ?? [] }
        let known = cases.first { $0.name.value == name.value }
        use(Symbol(kind: .errorCase, name: name.value, place: known?.name.inner), at: name)
    }

    mutating func useMethod(_ name: Located<String>, in group: String?) {
        let full = group.map { MethodSyntax.fullName(name.value, in: $0) } ?? name.value
        let same = methods.keys.filter { $0.hasSuffix("." + name.value) }
        let key = methods[full] != nil ? full : same.count == 1 ? same[0] : full
        use(methods[key] ?? Symbol(kind: .method, name: full, place: nil), at: name)
    }

    /// Adds a use. A name that the text spells in another way, with escapes, is none.
    mutating func use(_ symbol: Symbol, at name: Located<String>) {
        let span = name.inner
        guard files.contains(span.file), sources[span.file].text(of: span) == name.value else {
            return
        }
        index.use(symbol, at: span)
    }

    /// Adds a use of one of some names, or what may stand there.
    mutating func use(
        _ kind: Symbol.Kind, _ name: Located<String>, among known: [(name: String, Symbol)]
    ) {
        if let found = known.first(where: { $0.name == name.value }) {
            return use(found.1, at: name)
        }
        use(Symbol(kind: kind, name: name.value, place: nil), at: name)
        index.offers[name.inner] = known.map(\.1.name)
    }
}

extension Located<String> {
    /// The place of the text without its quotes.
    var inner: Span { place(of: 0..<value.utf8.count) }
}
