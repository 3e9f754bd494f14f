import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// The explanation of a symbol, in Markdown.
struct SymbolText {
    let snapshot: SpecSnapshot
    let workspace: Workspace

    func text(of symbol: Symbol) -> String? {
        guard let declaration = snapshot.symbols.declaration(of: symbol) else { return nil }
        var parts: [String] = []
        switch symbol.kind {
        case .method: parts = method(declaration)
        case .model: parts = model(declaration)
        case .field, .parameter, .typeParameter:
            let type = declaration.type.map { ": \($0.shown)" } ?? ""
            let owner = declaration.owner.isEmpty ? "every request" : "`\(declaration.owner)`"
            let name = symbol.kind == .typeParameter ? "type parameter" : symbol.kind.rawValue
            let rules =
                declaration.type?.attributes.rules.map { "`\($0.name.value.rawValue)`" } ?? []
            parts = [Self.code(symbol.name + type, "yaml"), "A \(name) of \(owner)."]
            if !rules.isEmpty { parts.append("Rules: \(rules.joined(separator: ", "))") }
        case .template, .server, .scheme, .session, .queue: return nil
        case .errorCase: parts = ["The error case `\(symbol.name)`."]
        }
        if let text = declaration.text { parts.insert(text, at: min(1, parts.count)) }
        return parts.joined(separator: "\n\n")
    }

    private func method(_ declaration: Declaration) -> [String] {
        let name = declaration.symbol.name
        let signature = workspace.signature(of: name, in: snapshot)
        let explanation = SpecAnalyzer.explain(name, in: snapshot.compilation.spec)
        let rows = (explanation?.values ?? []).map { value in
            "| \(Self.cell(value.name)) | \(Self.cell(value.value)) | \(origin(of: value)) |"
        }
        let head = signature.map { Self.code($0, "swift") } ?? Self.code(name, "yaml")
        guard !rows.isEmpty else { return [head] }
        let table = ["| setting | value | from |", "|--|--|--|"] + rows
        return [head, table.joined(separator: "\n")]
    }

    /// The file and the line of a value, or that it is a default.
    private func origin(of value: ExplainedValue) -> String {
        guard let span = value.span else { return value.origin.rawValue }
        let sources = snapshot.compilation.sources
        let path = snapshot.relativePath(of: sources[span.file].path)
        return Self.cell("\(path):\(sources.position(of: span).line)")
    }

    private func model(_ declaration: Declaration) -> [String] {
        guard let type = declaration.type else { return [] }
        let fields = snapshot.fields(of: type)
        guard !fields.isEmpty else {
            return [Self.code("\(declaration.symbol.name): \(type.shown)", "yaml")]
        }
        let lines = fields.map { field in
            "  \(field.symbol.name): \(field.type?.shown ?? "…")"
                + (field.text.map { "  # " + Self.line($0) } ?? "")
        }
        return [Self.code("\(declaration.symbol.name):\n" + lines.joined(separator: "\n"), "yaml")]
    }

    private static func code(_ text: String, _ language: String) -> String {
        "```\(language)\n\(text.replacing("```", with: "'''"))\n```"
    }

    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// A text in a cell of a table.
    private static func cell(_ text: String) -> String {
        line(text).replacing("\\", with: "\\\\").replacing("|", with: "\\|")
            .replacing("<", with: "\\<")
    }
}
