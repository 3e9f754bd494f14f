import SpecIR

/// The patterns of a file. Each is compiled once, on first use.
struct PatternTable {
    /// The enclosing type.
    private let owner: String
    /// Indices by UTF-8, because canonically equivalent patterns are different.
    private var indices: [[UInt8]: Int] = [:]
    private var sources: [(source: String, program: String)] = []

    init(owner: String = "Patterns", values: [Value] = []) {
        self.owner = owner
        for value in values { collect(value) }
    }

    private mutating func collect(_ value: Value) {
        for rule in value.rules + value.keyRules {
            guard case .pattern(let source, let program) = rule.argument else { continue }
            if indices[Array(source.utf8)] == nil {
                indices[Array(source.utf8)] = sources.count + 1
                sources.append((source, program))
            }
        }
        switch value.type {
        case .list(let element), .map(_, let element): collect(element)
        default: break
        }
    }

    var isEmpty: Bool { sources.isEmpty }

    /// The expression that names a pattern.
    func reference(_ source: String, _ program: String) -> String {
        guard let index = indices[Array(source.utf8)] else {
            return
                "Pattern(\(SwiftLiteral.string(source)), program: \(SwiftLiteral.string(program)))"
        }
        return "\(owner).pattern\(index)"
    }

    /// Writes the type that holds the patterns.
    func write(to writer: inout SwiftWriter) {
        writer.block("nonisolated private enum \(owner)") { writer in
            for (index, item) in sources.enumerated() {
                writer.expression(
                    "static let pattern\(index + 1) = ",
                    .call(
                        "Pattern",
                        [
                            .string("", item.source), .string("program: ", item.program),
                        ]))
            }
        }
    }
}

extension Group {
    /// All values that the group's file checks.
    var values: [Value] {
        methods.flatMap { method in
            method.parameters.map(\.value) + method.output.values + method.extractions.map(\.value)
        } + models.flatMap(\.allValues)
    }
}

extension Model {
    fileprivate var allValues: [Value] { nested.flatMap(\.allValues) + values }
}
