import SpecIR

/// Writes the lookups of a model.
extension SwiftWriter {
    mutating func joins(_ model: Model) {
        guard model.isRead else { return }
        for join in model.joins {
            line()
            block("nonisolated extension \(model.qualifiedName)") { writer in
                writer.found(join)
                writer.line()
                writer.lookup(join)
            }
        }
    }

    /// Writes the type of what is found.
    private mutating func found(_ join: Join) {
        line("/// What \(Markup.code(join.path)) refers to.")
        block("public enum \(join.typeName): Sendable") { writer in
            for source in join.sources {
                writer.line("/// An element of \(Markup.code(source.list.key)).")
                writer.line(
                    "case \(SwiftLiteral.identifier(source.caseName))(\(source.element.swift))")
            }
        }
    }

    private mutating func lookup(_ join: Join) {
        var comment = DocComment(
            join.documentation,
            otherwise: "What \(Markup.code(join.path)) refers to, by its value.")
        comment.paragraph("Each call builds the lookup: keep it for as long as it is used.")
        comment.end(join.documentation)
        comment.write(to: &self)
        let key = join.keyType.swift
        let name = SwiftLiteral.identifier(join.name)
        block("public func \(name)() -> [\(key): \(join.typeName)]") { writer in
            writer.line("var found: [\(key): \(join.typeName)] = [:]")
            for source in join.sources {
                let list = "self." + SwiftLiteral.member(source.list.name)
                let values = source.list.hasValue ? list : "\(list) ?? []"
                writer.block("for item in \(values)") { $0.entry(source) }
            }
            writer.line("return found")
        }
    }

    private mutating func entry(_ source: JoinSource) {
        var key = "item." + SwiftLiteral.member(source.key.name)
        if !source.key.hasValue {
            line("guard let key = \(key) else { continue }")
            key = "key"
        }
        // The server chooses the number, and the sign of the smallest cannot be changed.
        let expression = source.isNegated ? "0 &- \(key)" : key
        line("found[\(expression)] = .\(SwiftLiteral.member(source.caseName))(item)")
    }
}

extension Field {
    /// Whether the Swift property is never `nil`.
    fileprivate var hasValue: Bool { !swift.hasSuffix("?") }
}
