import SpecDiagnostics
import SpecTemplateRules

/// Parses templates, and what a spec says of them.
extension Parser {
    /// Parses a file of the folder `templates`.
    mutating func template(_ file: SpecFile) -> TemplateSyntax {
        let name = file.path.split(separator: "/").last.map(String.init) ?? file.path
        var template = TemplateSyntax(name: name, source: file.source)
        do {
            template.content = try TemplateParser.parse(file.source.bytes)
        } catch {
            bag.report(
                .badTemplate, error.message, at: file.source.span(error.range), help: error.help)
        }
        return template
    }

    /// Reports JSON in a folder inside of `templates`.
    mutating func reportMisplaced(_ file: SpecFile) {
        bag.report(
            .unusedTemplate, "no method has a template in a folder inside of `templates`",
            at: file.source.start,
            help: "move it to `templates` itself, and call it like its method: `users.get.json`")
    }

    /// `template: users.get.json`
    mutating func templateName(_ node: YAMLNode) -> Located<String>? {
        guard let name = text(node, expecting: "the name of a file in `templates`") else {
            return nil
        }
        guard !name.value.contains("/"), !name.value.hasPrefix(".") else {
            bag.report(
                .unknownTemplate, "`\(name.value.prefix(60))` is no name of a template",
                at: name.span,
                help: "templates are files in the folder `templates` itself, beside `api.yaml`: "
                    + "`template: users.get.json`")
            return nil
        }
        return name
    }

    /// `templates: { compatibility: original }`
    mutating func compatibility(_ node: YAMLNode) -> Located<TemplateCompatibility>? {
        var compatibility: Located<TemplateCompatibility>?
        visit(node, as: .templates, help: "write `templates: { compatibility: original }`") {
            parser, key, entry in
            guard key == "compatibility" else { return false }
            compatibility = parser.word(
                entry.value, expecting: "a meaning of the rules of templates")
            return true
        }
        return compatibility
    }
}
