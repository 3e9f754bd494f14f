import SpecIR

/// Writes the templates of replies.
extension SwiftWriter {
    mutating func templates(_ api: API) {
        let methods = api.groups.flatMap(\.methods).filter { $0.template != nil }
        line()
        block("nonisolated extension \(api.name)") { writer in
            writer.line("/// The templates of replies.")
            let head = "public static let templates = APITemplates("
            let meaning = api.templates == .original ? "compatibility: .original" : ""
            if methods.isEmpty { return writer.line("\(head)\(meaning))") }
            if meaning.isEmpty {
                writer.line("\(head)[")
                writer.indented { $0.templates(of: methods) }
                return writer.line("])")
            }
            writer.line(head)
            writer.indented { writer in
                writer.line("[")
                writer.indented { $0.templates(of: methods) }
                writer.line("], \(meaning))")
            }
        }
    }

    private mutating func templates(of methods: [Method]) {
        for (index, method) in methods.enumerated() {
            guard let template = method.template else { continue }
            line("MethodTemplate(")
            indented { writer in
                let names = [method.apiName, method.verb.name, method.path].map {
                    Layout.string("", $0)
                }
                let checked = template.asksForMore ? [Layout.text("isChecked: true")] : []
                writer.fill(names + checked, last: ",")
                writer.unbroken("#\"\"\"")
                for line in template.reply.lines(width: 80) {
                    writer.unbroken(SwiftLiteral.rawJSON(line))
                }
                let isLast = index == methods.count - 1
                let comma = isLast ? Self.lastComma(methods.count) : ","
                writer.unbroken("\"\"\"#)\(comma)")
            }
        }
    }
}
