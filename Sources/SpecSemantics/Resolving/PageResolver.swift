import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves `pages` of methods against their replies and parameters, when all models are known.
struct PageResolver {
    private let models: [String: Model]
    private var bag = DiagnosticBag()

    static func resolve(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        guard spec.methods.contains(where: { $0.syntax.pages != nil }) else { return }
        var resolver = PageResolver(models: spec.models.byName)
        spec.changeMethods { $0.pages = resolver.rules($0) }
        bag.report(contentsOf: resolver.bag)
    }

    private mutating func rules(_ method: ResolvedMethod) -> PageRules? {
        guard let syntax = method.syntax.pages, !method.hasUnresolvedReply else { return nil }
        guard method.kind == .data, method.verb != .head, case .value = method.output else {
            return report(
                "the pages of `\(method.apiName)` have no list", at: syntax.span,
                "`pages` belongs to a method that returns one JSON value")
        }
        let items = place(
            syntax.items, of: method, what: "the items of a page", type: "a list or a map"
        ) {
            switch $0.type {
            case .list, .map(.string, _), .map(.int, _): true
            default: false
            }
        }
        guard let items, let form = form(syntax, items.value, of: method) else { return nil }
        let more = syntax.more.flatMap {
            place($0, of: method, what: "whether there are more pages", type: "a `bool`") {
                if case .bool = $0.type { true } else { false }
            }
        }
        return PageRules(items: items, form: form, more: more)
    }

    private mutating func form(
        _ syntax: PagesSyntax, _ items: Value, of method: ResolvedMethod
    ) -> PageRules.Form? {
        switch syntax.form {
        case .offset(let name, let total):
            let count = count(total, of: method)
            return parameter(name, of: method, ["int"]).map {
                .offset(parameter: $0.name, total: count)
            }
        case .page(let name, let last):
            let count = count(last, of: method)
            return parameter(name, of: method, ["int"]).map {
                .page(parameter: $0.name, last: count)
            }
        case .token(let send, let take):
            switch take {
            case .path(let path):
                return token(path, send, of: method).map { .token(parameter: $0, $1) }
            case .header(let name):
                HeaderChecker.checkName(name, into: &bag)
                return parameter(send, of: method, ["string", "int"]).map {
                    .headerToken(parameter: $0.name, name: name.value)
                }
            case .last(let path):
                guard case .list(let item) = items.type else {
                    return report(
                        "a map has no last item", at: path.span,
                        "name a list in `items`, or another value of the reply in `take`")
                }
                return token(path, send, of: method, in: .value(item)).map {
                    .lastItem(parameter: $0, $1)
                }
            }
        case .address(let path):
            guard mayFollow(syntax, method) else { return nil }
            let address = place(
                path, of: method, what: "the address of the next page", type: "text or a `url`"
            ) { ["string", "url"].contains($0.pageType) }
            return address.map { .address($0) }
        case .link(let relation): return mayFollow(syntax, method) ? .link(relation.value) : nil
        case .merge(let path):
            guard mayFollow(syntax, method) else { return nil }
            let help =
                "declare it as `{ type: \"{string: string}?\", values: { from: either } }`, so that "
                + "each member is sent"
            let items = place(
                path, of: method, what: "what the next call sends", type: "a map", help: help
            ) {
                guard case .map(.string, let element) = $0.type else { return false }
                return element.pageType == "string" && !element.isNullable
            }
            return items.map { .merge($0) }
        }
    }

    /// The parameter that sends a value of a page, and the place of the value.
    ///
    /// - Parameter item: The last item, if the value is in it.
    private mutating func token(
        _ path: Located<[String]>, _ send: Located<String>, of method: ResolvedMethod,
        in item: Output? = nil
    ) -> (String, PageRules.Place)? {
        let type = "text, an integer, an object, a list or `json`"
        let token = place(path, of: method, in: item, what: "what the next call sends", type: type)
        {
            ["string", "int"].contains($0.pageType) || $0.type.isPageJSON
        }
        guard let token else { return nil }
        let fitting = ["int": ["int", "string"], "string": ["string"]]
        let types = fitting[token.value.pageType] ?? []
        return parameter(send, of: method, types, like: token.value.type).map { ($0.name, token) }
    }

    /// Whether a request may be sent where a reply leads, and not a body that the caller meant for
    /// the API.
    private mutating func mayFollow(_ syntax: PagesSyntax, _ method: ResolvedMethod) -> Bool {
        guard method.verb != .get else { return true }
        bag.report(
            .badPages, "`\(method.verb.rawValue)` does not follow where a reply leads",
            at: method.syntax.verb?.span ?? syntax.span,
            help: "use `get`, or `pages` with a parameter: `offset`, `page`, or `send` and `take`")
        return false
    }

    private mutating func count(
        _ path: Located<[String]>?, of method: ResolvedMethod
    ) -> PageRules.Place? {
        guard let path else { return nil }
        return place(path, of: method, what: "a number of items or pages", type: "an `int`") {
            $0.pageType == "int"
        }
    }

    /// The declared value at a path.
    ///
    /// - Parameters:
    ///   - item: The value that the path begins at; nil for the value of the method.
    ///   - what: What the value is, for messages.
    ///   - type: What its type must be, for messages.
    ///   - isFitting: Whether it is of that type.
    private mutating func place(
        _ path: Located<[String]>, of method: ResolvedMethod, in item: Output? = nil,
        what: String, type: String, help: String? = nil, _ isFitting: (Value) -> Bool
    ) -> PageRules.Place? {
        let start = item ?? method.output
        var place = ReplyPath(start, models)
        if let (problem, remedy) = place.follow(path.value.map(PathStep.key)) {
            let key = path.value.joined(separator: ".")
            var whole = ReplyPath(start, models)
            let isKey = whole.follow([.key(key)]) == nil && whole.value != nil
            if isKey {
                let help = "a key with a dot is an item of a list: `[\"\(key)\"]`"
                return report(problem, at: path.span, help)
            }
            let isHeader = Self.isHeader(path.value, of: method)
            return report(
                problem, at: path.span,
                isHeader ? NearMisses.pageInHeader : place.isInList ? NearMisses.pageInList : remedy
            )
        }
        guard let fields = place.fields, let value = place.value ?? fields.end(path.value) else {
            return report(
                "the reply's model does not tell the type of this value", at: path.span,
                "declare each object on the way to it as a model or an object with fields")
        }
        guard isFitting(value) else {
            return report(
                "\(what): the value is not \(type)", at: path.span,
                help ?? "name another value, or correct its type in the model")
        }
        return PageRules.Place(fields: fields, value: value)
    }

    /// Whether a path that the reply does not have is meant as a header field.
    private static func isHeader(_ path: [String], of method: ResolvedMethod) -> Bool {
        let first = path.first?.lowercased() ?? ""
        let places = method.replyHeaders?.places ?? []
        let isDeclared = places.contains { place in
            switch place {
            case .value(let name), .list(let name): name.lowercased() == first
            case .link: false
            }
        }
        return ["header", "headers"].contains(first) || first.hasPrefix("x-") || isDeclared
    }

    /// The parameter with a name, which a first call may leave out.
    ///
    /// - Parameters:
    ///   - types: The types that fit.
    ///   - other: A further one that fits, without a name.
    private mutating func parameter(
        _ name: Located<String>, of method: ResolvedMethod, _ types: [String],
        like other: ValueType? = nil
    ) -> ResolvedParameter? {
        let known = method.parameters
        let found =
            known.first { $0.specName == name.value } ?? known.first { $0.key == name.value }
        guard let parameter = found else {
            bag.report(
                .unknownParameter, "the method has no parameter `\(name.value)`", at: name.span,
                help: didYouMean(name.value, among: known.map(\.specName))
                    ?? "declare it under `query`, `path` or the body of the method")
            return nil
        }
        switch parameter.presence {
        case .required:
            return report(
                "`\(name.value)` is required, and the first page has no value for it",
                at: name.span,
                "make it optional, `\(types.first ?? "…")?`, or give it a default")
        case .constant, .callID:
            return report(
                "`\(name.value)` is always the same", at: name.span,
                "declare its type, `\(types.first ?? "…")?`, in place of the constant")
        case .optional, .defaulted, .credential: break
        }
        let isFitting =
            types.contains(parameter.value.pageType)
            || types.isEmpty && parameter.value.type == other
        guard isFitting, !parameter.value.isNullable else {
            let names = types.map { "`\($0)?`" }.joined(separator: " or ")
            return report(
                "a page does not fit the type of `\(name.value)`", at: name.span,
                "declare it as \(types.isEmpty ? "an optional value of the taken type" : names)")
        }
        return parameter
    }

    private mutating func report<T>(_ problem: String, at place: Span, _ help: String) -> T? {
        bag.report(.badPages, problem, at: place, help: help)
        return nil
    }
}

extension [Field] {
    /// The value of the last one, if a path ends there.
    fileprivate func end(_ path: [String]) -> Value? {
        flatMap { $0.steps + [$0.key] } == path ? last?.value : nil
    }
}

extension ValueType {
    /// Whether it is JSON that is read and written without anything beside its Swift type.
    fileprivate var isPageJSON: Bool {
        switch self {
        case .json, .object, .union: true
        case .list(let item), .map(.string, let item):
            !item.isNullable && item.rules.isEmpty
                && (item.type.isPageJSON || item.type == .string(from: .native)
                    || item.type == .integer(.int, from: .native))
        default: false
        }
    }
}

extension Value {
    /// The type as a spec names it, of those that `pages` can use; empty for any other.
    fileprivate var pageType: String {
        switch type {
        case .string: "string"
        case .integer(.int, _): "int"
        case .url: "url"
        default: ""
        }
    }
}
