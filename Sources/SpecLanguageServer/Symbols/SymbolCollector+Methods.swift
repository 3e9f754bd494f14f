import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Collects what methods declare and name.
extension SymbolCollector {
    /// Adds a parameter of the API, a group or a method.
    mutating func parameter(_ parameter: ParameterSyntax, of owner: String) {
        declare(
            .parameter, parameter.key,
            whole: parameter.key.span.joined(with: parameter.type.extent), owner: owner,
            type: parameter.type)
        add(parameter.type, of: owner)
    }

    /// Adds a shared path and its placeholders.
    mutating func add(_ shared: SharedPathSyntax, of owner: String) {
        for parameter in shared.parameters { self.parameter(parameter, of: owner) }
        if let prefix = shared.prefix {
            add(placeholders: prefix, declared: shared.parameters, owner: owner)
        }
    }

    /// Adds what a call of the method sends.
    mutating func addCalls(of method: MethodSyntax, named name: String, in group: GroupSyntax) {
        for parameter in method.parameters where parameter.key.value != "params" {
            self.parameter(parameter, of: name)
        }
        if let path = method.path {
            add(placeholders: path, declared: method.parameters, owner: name)
        }
        if let body = method.body { add(body, of: name) }
        let known = named(method.parameters + group.parameters + (spec.api?.parameters ?? []))
        for rule in method.rules { add(rule, among: known) }
        for key in method.call.throttle?.keys?.value ?? [] {
            use(.parameter, key, among: known)
        }
        for parameter in method.parameters {
            for other in parameter.type.attributes.defaultUnless {
                use(.parameter, other, among: known)
            }
        }
        switch method.pages?.form {
        case .offset(let name, _), .page(let name, _), .token(let name, _):
            use(.parameter, name, among: known)
        case .address, .link, .merge, nil: break
        }
    }

    /// Parameters by their names in the spec, then by those of the API.
    private func named(_ parameters: [ParameterSyntax]) -> [(name: String, Symbol)] {
        parameters.map { ($0.key.value, $0.symbol) }
            + parameters.compactMap { one in
                one.type.attributes.key.map { ($0.value, one.symbol) }
            }
    }

    /// Adds the placeholders of a path. One that no entry declares is declared by the path itself.
    private mutating func add(
        placeholders path: Located<String>, declared: [ParameterSyntax], owner: String
    ) {
        let known = named(declared.filter { $0.location == .path })
        for match in path.value.matches(of: #/\{\+?([^{}+]+)\}/#) {
            let range = match.output.1.startIndex..<match.output.1.endIndex
            let name = Located(
                String(match.output.1), at: path.place(of: path.value.utf8Range(range)))
            if known.contains(where: { $0.name == name.value }) {
                use(.parameter, name, among: known)
            } else {
                declare(.parameter, name, whole: name.span, owner: owner)
            }
        }
    }

    // MARK: Replies

    /// Adds the types and the paths of a method's replies.
    mutating func addReplies(of method: MethodSyntax, named name: String) {
        let types = method.replyTypes
        for type in types { add(type, of: name) }
        if let headers = method.replyHeaders { add(headers.type, of: name) }
        for item in method.extractions {
            follow(item.path.span, from: types)
            if let type = item.type { add(type, of: name) }
        }
        if let login = method.login {
            let paths = [login.token, login.refreshToken, login.expiresIn] + login.values
            for path in paths.compactMap({ $0 }) { follow(path.span, from: types) }
        }
        if let pages = method.pages { add(pages, types) }
        for example in method.documentation.examples { data(example.value, of: types) }
    }

    private mutating func add(_ pages: PagesSyntax, _ types: [TypeSyntax]) {
        follow(pages.items.span, from: types)
        if let more = pages.more { follow(more.span, from: types) }
        switch pages.form {
        case .offset(_, let count), .page(_, let count):
            if let count { follow(count.span, from: types) }
        case .token(_, .path(let path)), .address(let path), .merge(let path):
            follow(path.span, from: types)
        case .token(_, .last(let path)):
            let items = pages.items.value.reduce(types) { types, key in
                types.flatMap { members(of: $0) }.filter { $0.key == key }.map(\.type)
            }
            follow(path.span, from: items)
        case .token(_, .header), .link: break
        }
    }

    /// Adds the template that a method names, or that is called like it, and its keys.
    mutating func addTemplate(
        of method: MethodSyntax, _ symbol: Symbol, in group: GroupSyntax
    ) {
        let name = method.template?.value ?? symbol.name + TemplateSyntax.ending
        let template = spec.templates.first { $0.name == name }
        if let written = method.template {
            let place = template?.source.start
            use(Symbol(kind: .template, name: name, place: place), at: written)
        } else if template != nil {
            index.namedTemplates[name] = symbol
        }
        // Large ones would slow each keystroke down.
        guard let template, let content = template.content, template.source.bytes.count < 1 << 18
        else { return }
        var node = YAMLNode(content, in: template.source)
        let unwrap = method.settings.unwrap ?? group.settings.unwrap ?? spec.api?.settings.unwrap
        for case .key(let key) in unwrap?.value ?? [] {
            guard let inner = node.value(of: key) else { return }
            node = inner
        }
        data(node, of: method.replyTypes)
    }
}

extension MethodSyntax {
    var replyTypes: [TypeSyntax] { (returns.map { [$0] } ?? []) + replies.map(\.type) }
}

extension ParameterSyntax {
    /// The symbol that it declares.
    fileprivate var symbol: Symbol {
        Symbol(kind: .parameter, name: key.value, place: key.inner)
    }
}
