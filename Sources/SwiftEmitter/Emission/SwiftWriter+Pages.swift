import SpecIR

/// Writes the functions that return lists page by page.
extension SwiftWriter {
    mutating func pagesCall(_ method: Method, _ pages: PageRules, in api: API) {
        let options = method.fresh("options")
        method.comment(api, pages: pages).write(to: &self)
        if let deprecation = method.documentation.deprecation { line(deprecation.attribute) }
        list(
            "\(method.access)func \(SwiftLiteral.identifier(Method.pagesName(method.name)))",
            method.arguments.map(\.defaultedDeclaration) + ["\(options): CallOptions? = nil"],
            tail: " -> Pages<\(method.value), \(pages.item)> {")
        indented { writer in
            let position = method.fresh("position")
            let base = method.replyHeaders == nil ? "$0" : "$0.value"
            let isOptional = method.output.values.first?.isNullable == true
            let path = PagePath(base, isOptional: isOptional)
            writer.expression(
                "",
                .call(
                    "Pages",
                    [pages.rule(of: method, path)]
                        + (pages.more.map { [.text("more: \(path.closure($0))")] } ?? [])
                        + [.text(pages.items(path))]),
                tail: " { \(position) in")
            writer.indented { writer in
                let arguments = method.arguments.map { argument in
                    let value = SwiftLiteral.identifier(argument.name)
                    let start = argument.name == pages.parameter
                    let sent = start ? "\(position).\(pages.reading(argument)) ?? \(value)" : value
                    return Layout.text("\(SwiftLiteral.argument(argument.name)): \(sent)")
                }
                let own = pages.parameter == nil
                let last = own ? "CallOptions(\(options), at: \(position))" : options
                let call = "self.\(SwiftLiteral.member(method.name))"
                writer.expression("", .call(call, arguments + [.text("\(options): \(last)")]))
            }
            writer.line("}")
        }
        line("}")
    }
}

/// Writes the expressions of values in a page.
private struct PagePath {
    let base: String
    let isOptional: Bool

    init(_ base: String, isOptional: Bool) {
        self.base = base
        self.isOptional = isOptional
    }

    /// The value at a place, whether it is optional, and what a further step begins with.
    func value(_ place: PageRules.Place) -> (text: String, isOptional: Bool, dot: String) {
        var (text, isOptional, dot) = (base, isOptional, isOptional ? "?." : ".")
        for field in place.fields {
            text += dot + SwiftLiteral.member(field.name)
            dot = field.isSwiftOptional ? "?." : "."
            if field.isSwiftOptional {
                isOptional = true
                if field.isOptional, field.value.isNullable { text += "?.optional" }
            }
        }
        return (text, isOptional, dot)
    }

    /// A property of that value.
    func property(_ name: String, of place: PageRules.Place) -> String {
        let (text, _, dot) = value(place)
        return "{ \(text)\(dot)\(name) }"
    }

    /// The path of the last item.
    func last(of items: PageRules.Place) -> PagePath {
        let (text, _, dot) = value(items)
        guard case .list(let item) = items.value.type else { return self }
        return PagePath(text + dot + "last" + (item.isNullable ? "?" : ""), isOptional: true)
    }

    /// A function that returns that value.
    func closure(_ place: PageRules.Place) -> String { "{ \(value(place).text) }" }
}

extension PageRules {
    /// The Swift type of an item.
    fileprivate var item: String {
        switch items.value.type {
        case .list(let element), .map(_, let element): element.swift
        default: items.value.type.swift
        }
    }

    /// The argument with the items of a page.
    fileprivate func items(_ path: PagePath) -> String {
        let (text, isOptional, _) = path.value(items)
        if case .map = items.value.type {
            return "values: { \(text)\(isOptional ? " ?? [:]" : "") }"
        }
        return "items: { \(text)\(isOptional ? " ?? []" : "") }"
    }

    /// The property of a position with the value of an argument.
    fileprivate func reading(_ argument: Parameter) -> String {
        switch (form, argument.value.type) {
        case (.offset, _): "asOffset"
        case (.page, _): "asPage"
        case (_, .integer): "asNumber"
        case (_, .string): "asToken"
        default: "asJSON()"
        }
    }

    /// The argument that says how pages follow one another.
    fileprivate func rule(of method: Method, _ path: PagePath) -> Layout {
        switch form {
        case .offset(let name, let total):
            counted(
                "offset", name: name, first: 0, label: "total", count: total, method: method,
                path: path)
        case .page(let name, let last):
            counted(
                "page", name: name, first: 1, label: "last", count: last, method: method, path: path
            )
        case .token(let name, let token): tokenRule(name, token: token, method: method, path: path)
        case .lastItem(let name, let token):
            tokenRule(name, token: token, method: method, path: path.last(of: items))
        case .headerToken(let name, let field):
            if case .integer? = method.argument(name)?.value.type {
                .text(".header(\(SwiftLiteral.string(field)), isNumber: true)")
            } else {
                .text(".header(\(SwiftLiteral.string(field)))")
            }
        case .address(let address):
            address.value.type == .url
                ? .text(".address(\(path.property("absoluteString", of: address)))")
                : .text(".address(\(path.closure(address)))")
        case .link(let relation): .text(".link(\(SwiftLiteral.string(relation)))")
        case .merge(let query): .text(".merging(\(path.closure(query)))")
        }
    }

    private func tokenRule(
        _ name: String, token: Place, method: Method, path: PagePath
    ) -> Layout {
        switch (token.value.type, method.argument(name)?.value.type) {
        case (.string, _): .text(".token(\(path.closure(token)))")
        case (.integer, .string): .text(".token(\(path.property("description", of: token)))")
        case (.integer, _): .text(".number(\(path.closure(token)))")
        default: .text(".json(\(path.closure(token)))")
        }
    }

    /// - Parameters:
    ///   - first: The number of a first call without the argument.
    private func counted(
        _ function: String, name: String, first: Int, label: String, count: Place?,
        method: Method, path: PagePath
    ) -> Layout {
        let isOptional = method.argument(name)?.swift?.hasSuffix("?") == true
        let start = SwiftLiteral.identifier(name) + (isOptional ? " ?? \(first)" : "")
        let end = count.map { [Layout.text("\(label): \(path.closure($0))")] } ?? []
        return .call(".\(function)", [.text("from: \(start)")] + end)
    }
}

extension Method {
    fileprivate func argument(_ name: String) -> Parameter? {
        arguments.first { $0.name == name }
    }
}
