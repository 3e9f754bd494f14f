import SpecIR

/// Writes the templates of replies.
extension SwiftWriter {
    mutating func templates(_ api: API) {
        let methods = api.groups.flatMap(\.methods).filter { $0.template != nil }
        line()
        block("nonisolated extension \(SwiftLiteral.member(api.name))") { writer in
            writer.line("/// The templates of replies, by the API's names of the methods.")
            let head = "public static let templates = APITemplates("
            if methods.isEmpty { return writer.line("\(head)[:])") }
            let options = methods.templateOptions(api)
            if options.isEmpty {
                writer.line("\(head)[")
                writer.indented { $0.templateTexts(methods) }
                return writer.line("])")
            }
            writer.line(head)
            writer.indented { writer in
                writer.line("[")
                writer.indented { $0.templateTexts(methods) }
                writer.templateOptions(options)
            }
        }
    }

    private mutating func templateTexts(_ methods: [Method]) {
        for (index, method) in methods.enumerated() {
            let comma = index == methods.count - 1 ? Self.lastComma(methods.count) : ","
            unbroken("\(SwiftLiteral.string(method.apiName)): #\"\"\"")
            for text in method.template?.reply.lines(width: 80) ?? [] {
                unbroken(SwiftLiteral.rawJSON(text))
            }
            unbroken("\"\"\"#\(comma)")
        }
    }

    /// Writes the arguments behind the dictionary.
    private mutating func templateOptions(_ options: [Layout]) {
        let single = "], " + options.map(\.flat).joined(separator: ", ") + ")"
        if fits(single) { return line(single) }
        line("],")
        for (index, option) in options.enumerated() {
            expression("", option, tail: index == options.count - 1 ? ")" : ",")
        }
    }
}

extension [Method] {
    /// The arguments of the templates that differ from the defaults.
    fileprivate func templateOptions(_ api: API) -> [Layout] {
        var options: [Layout] = []
        let checked = filter { $0.template?.asksForMore == true }.map(\.apiName)
        if !checked.isEmpty { options.append(.strings("checked: ", checked)) }
        if api.templates == .original { options.append(.text("compatibility: .original")) }
        return options
    }
}
