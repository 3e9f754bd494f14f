import SpecDiagnostics
import SpecIR

/// Parses group files: methods and models.
extension Parser {
    mutating func group(_ node: YAMLNode, path: String) -> GroupSyntax {
        var group = GroupSyntax(span: node.span, path: path)
        visit(node, as: .group) { parser, key, entry in
            let value = entry.value
            switch key {
            case "parameters": group.parameters += parser.constants(value, .query)
            case "headers": group.parameters += parser.constants(value, .header)
            case "methods":
                group.methods = parser.entries(
                    value, of: "`methods`",
                    help: "write each under its name, without `- `: `find: { get: path }`"
                ).map { parser.method($0) }
            case "capabilities":
                let help = "write `capabilities: { PictureReading: [pictures.get] }`"
                group.capabilities = parser.entries(value, of: "`capabilities`", help: help).map {
                    CapabilitySyntax(
                        name: $0.key.located,
                        methods: parser.texts($0.value, expecting: "a method's name")?.value ?? [])
                }
            case "models": group.models = parser.models(value)
            case "deprecated": return false
            case "prefix", "path": parser.sharedPath(entry, into: &group.sharedPath)
            case "rpc": group.settings.procedures = parser.procedureProtocol(value)
            default:
                return parser.documentation(key, at: value, into: &group.documentation)
                    || parser.setting(key, at: value, into: &group.settings)
            }
            return true
        }
        return group
    }

    private mutating func method(_ entry: YAMLEntry) -> MethodSyntax {
        var method = MethodSyntax(name: entry.key.located, span: entry.value.span)
        visit(entry.value, as: .method) { parser, key, entry in
            let verb = HTTPVerb(rawValue: key)
            if verb.isKey {
                parser.verb(verb, at: entry, into: &method)
            } else if key == "method" {
                parser.otherVerb(entry, into: &method)
            } else if let section = Section(rawValue: key) {
                parser.section(section, at: entry, into: &method)
            } else if parser.reply(key, at: entry, into: &method)
                || parser.procedure(key, at: entry, into: &method)
            {
                return true
            } else if key == "extract" {
                method.extractions = parser.extractions(entry.value)
            } else if key == "pages" {
                method.pages = parser.pages(entry)
            } else if key == "visibility" {
                method.visibility = parser.word(entry.value, expecting: "a visibility")
            } else if key == "examples" {
                let help = "give each a name: `examples: { usual: { id: 1 } }`"
                method.documentation.examples = parser.entries(
                    entry.value, of: "`examples`", help: help
                ).map { ExampleSyntax(name: $0.key.located, value: $0.value) }
            } else if key == "rules" {
                method.rules = parser.crossRules(entry.value)
            } else if key == "swift" {
                method.swiftName = parser.methodName(entry.value)
            } else {
                return parser.documentation(key, at: entry.value, into: &method.documentation)
                    || parser.setting(key, at: entry.value, into: &method.settings)
                    || parser.call(key, at: entry.value, into: &method.call)
            }
            return true
        }
        return method
    }

    /// `swift: { name: … }`
    private mutating func methodName(_ node: YAMLNode) -> Located<String>? {
        var name: Located<String>?
        visit(node, as: .methodSwift) { parser, key, entry in
            if key == "name" { name = parser.text(entry.value, expecting: "a Swift name") }
            return key == "name"
        }
        return name
    }

    private mutating func verb(
        _ verb: HTTPVerb, at entry: YAMLEntry, into method: inout MethodSyntax
    ) {
        if let first = method.verb {
            reportConflict(entry.key.located, with: first.word)
            return
        }
        method.verb = Located(verb, at: entry.key.span)
        if entry.value.kind == .scalar, entry.value.text.isEmpty {
            method.path = Located("", at: entry.value.span)
        } else {
            method.path = path(entry)
        }
    }

    /// `method: PROPFIND files/{id}`
    private mutating func otherVerb(_ entry: YAMLEntry, into method: inout MethodSyntax) {
        if let first = method.verb {
            reportConflict(entry.key.located, with: first.word)
            return
        }
        // One with an error is not missing.
        method.verb = Located(.get, at: entry.key.span)
        guard let text = text(entry.value, expecting: "an HTTP method and a path") else { return }
        let name = text.value.prefix { $0 != " " }
        let rest = text.value[name.endIndex...].drop { $0 == " " }
        let verb = HTTPVerb(rawValue: String(name))
        method.verb = Located(verb, at: entry.key.span)
        method.path = Located(
            String(rest), at: text.place(of: text.value.utf8Range(rest.startIndex..<rest.endIndex)))
        guard let problem = Self.problem(of: verb) else { return }
        bag.report(
            .notAllowed, "`\(name.prefix(60))` \(problem.text)",
            at: text.place(of: 0..<name.utf8.count), help: problem.help)
    }

    private static func problem(of verb: HTTPVerb) -> (text: String, help: String)? {
        let key = HTTPVerb(rawValue: verb.rawValue.lowercased())
        if key.isKey {
            return ("has a key of its own", "write `\(key.rawValue): path`")
        }
        if HTTPVerb.unsendable.contains(verb.rawValue) {
            return ("cannot be sent", "the system's HTTP clients refuse it")
        }
        let isName =
            verb.rawValue.first?.isUppercase == true
            && verb.rawValue.utf8.allSatisfy {
                (0x41...0x5A).contains($0) || $0.isDigit || $0 == UInt8(ascii: "-")
            }
        return isName
            ? nil
            : (
                "is not an HTTP method",
                "write its name in upper case, a space and the path: `method: PROPFIND files/{id}`"
            )
    }

    private mutating func path(_ entry: YAMLEntry) -> Located<String>? {
        guard entry.value.kind == .mapping else { return text(entry.value, expecting: "a path") }
        reportKind(
            entry.value, expected: "a path",
            help: "a path that begins with a brace needs quotes: `\(entry.key.text): \"{id}\"`")
        return nil
    }

    /// `prefix: servers/{id}`, or `path: { id: int }`
    mutating func sharedPath(_ entry: YAMLEntry, into shared: inout SharedPathSyntax) {
        if entry.key.text == "prefix" {
            shared.prefix = path(entry)
        } else if entry.value.kind == .scalar, !entry.value.isNull {
            reportKind(
                entry.value, expected: "the parameters of the shared path",
                help: "the shared path itself is `prefix: \(entry.value.text.prefix(60))`")
        } else {
            shared.parameters += parameters(entry.value, of: "path", in: .path)
        }
    }

    // MARK: Parameters

    /// The sections of a method that hold parameters.
    private enum Section: String {
        case path, query, headers, form, json, multipart, body

        var location: Parameter.Location {
            switch self {
            case .path: .path
            case .query: .query
            case .headers: .header
            case .form: .form
            case .json: .json
            case .multipart: .part
            case .body: .body
            }
        }

        /// The key of the body; nil for sections outside the body.
        var bodyKey: BodyKey? { BodyKey(rawValue: rawValue) }
    }

    private mutating func section(
        _ section: Section, at entry: YAMLEntry, into method: inout MethodSyntax
    ) {
        if let key = section.bodyKey {
            if let first = method.bodyKey {
                reportConflict(entry.key.located, with: first.word)
                return
            }
            method.bodyKey = Located(key, at: entry.key.span)
        }
        let isType = entry.value.kind == .scalar && !entry.value.isNull
        if section == .body || section == .json && isType {
            method.bodyKey?.value = .body
            method.isWrittenAsJSON = section == .json
            method.body = type(entry.value)
            if section == .json, case .named(let raw)? = method.body?.form,
                ["bytes", "file"].contains(raw)
            {
                bag.report(
                    .notAllowed, "`\(raw)` as a whole body is not JSON", at: entry.value.span,
                    help: "write `body: \(raw)` to send it raw")
            }
        } else if section == .json, entry.value.isTypeInParameters {
            let span = entry.value.span
            let text = span.start + 80 >= span.end ? bytes[Int(span.start)..<Int(span.end)] : []
            let body = String(decoding: text, as: UTF8.self)
            let shown = body.contains("\n") || body.isEmpty ? "{ type: User, … }" : body
            bag.report(
                .wrongKind, "`json` lists what is sent, and this describes one type",
                at: entry.key.span, help: "write `body: \(shown)`")
        } else {
            let name = section.rawValue
            method.parameters += parameters(entry.value, of: name, in: section.location)
        }
    }

    /// The parameters under a key of a method.
    mutating func parameters(
        _ node: YAMLNode, of name: String, in location: Parameter.Location
    ) -> [ParameterSyntax] {
        let whole = name == "json" ? ", or name a type: `json: Item`" : ""
        let help = "list what is sent: `\(name): { name: string }`\(whole)"
        return entries(node, of: "`\(name)`", help: help).map { entry in
            ParameterSyntax(
                key: entry.key.located, location: location,
                type: type(entry.value, help: { _ in Self.constantHelp(entry.value) }))
        }
    }

    /// The help for a text that is not a type, if it was meant as a constant.
    private static func constantHelp(_ node: YAMLNode) -> String? {
        guard !node.text.isEmpty, !node.text.contains(where: { "?[]{}|<>`\"".contains($0) }) else {
            return nil
        }
        let isPlain = node.isPlain && !node.text.contains(",")
        let text = String(node.text.prefix(60))
        return "to always send this text, write `{ const: \(isPlain ? text : "'\(text)'") }`"
    }

    /// Parameters sent with every request. A scalar is a constant; a mapping declares a parameter
    /// that the app sets.
    mutating func constants(
        _ node: YAMLNode, _ location: Parameter.Location
    ) -> [ParameterSyntax] {
        entries(node, of: "parameters").map { entry in
            let type = entry.value.kind == .scalar ? constant(entry.value) : type(entry.value)
            return ParameterSyntax(
                key: entry.key.located, location: type.attributes.location?.value ?? location,
                type: type)
        }
    }

    private mutating func constant(_ node: YAMLNode) -> TypeSyntax {
        var type = TypeSyntax(.named("string"), at: node.span)
        if node.isNull {
            reportKind(node, expected: "a value to send, or a type in braces")
            type.form = .invalid
        }
        type.attributes.constant = node
        let name = node.text.hasSuffix("?") ? String(node.text.dropLast()) : node.text
        if node.isPlain, TypeNames.scalars.contains(name) {
            bag.report(
                .constantLooksLikeType, "the text `\(node.text)` would be sent as it is",
                at: node.span,
                help: "write `{ type: \(node.text) }` for a parameter that the app gives, "
                    + "or quote the text to send it")
        }
        return type
    }

    // MARK: Models

    mutating func models(_ node: YAMLNode) -> [ModelSyntax] {
        entries(node, of: "`models`").compactMap { entry in
            guard entry.key.text.contains("<") else {
                return ModelSyntax(name: entry.key.located, type: type(entry.value))
            }
            return genericModel(entry)
        }
    }

    /// `Page<Item>: { items: [Item] }`
    private mutating func genericModel(_ entry: YAMLEntry) -> ModelSyntax? {
        var parser = TypeTextParser(entry.key)
        let head = parser.parse()
        let parameters = head?.arguments.compactMap(\.plainName) ?? []
        guard let head, let name = head.plainName(besidesArguments: true),
            parameters.count == head.arguments.count
        else {
            bag.report(
                .badType, "`\(entry.key.text.prefix(60))` is not the name of a generic model",
                at: entry.key.span, help: "type parameters are names: `Page<Item>`, `Result<A, B>`")
            return nil
        }
        let place = entry.key.place(ofText: 0..<name.value.utf8.count)
        return ModelSyntax(
            name: Located(name.value, at: place), parameters: parameters, type: type(entry.value))
    }
}

extension TypeSyntax {
    /// The name, if the type is a name and nothing else.
    fileprivate var plainName: Located<String>? { plainName(besidesArguments: false) }

    fileprivate func plainName(besidesArguments: Bool) -> Located<String>? {
        guard case .named(let name) = form, optional == nil, nullable == nil,
            besidesArguments || arguments.isEmpty
        else { return nil }
        return Located(name, at: span)
    }
}

extension YAMLNode {
    /// Whether the mapping is the long form of a type, and not a list of parameters that are called
    /// like its keys: their values would be no types.
    fileprivate var isTypeInParameters: Bool {
        let keys = entries.map(\.key.text)
        guard kind == .mapping, keys.contains("type") || keys.contains("fields"),
            keys.allSatisfy(MappingSchema.type.accepts)
        else { return false }
        let names = value(of: "swift")?.entries ?? []
        let isNamed =
            !names.isEmpty
            && names.allSatisfy {
                MappingSchema.swift.keys.contains($0.key.text) && $0.value.kind == .scalar
                    && !TypeNames.scalars.contains($0.value.text)
            }
        let doc = value(of: "doc")?.text ?? ""
        return isNamed || doc.contains(" ") && !doc.contains("|")
    }
}
