import SpecDiagnostics
import SpecSemantics
import SpecSyntax
import TelexJSON

/// Finds the declaration of a value in a reply by its path.
struct SpecWalk {
    /// A step of the path of a violation.
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    /// What a path leads to.
    struct Found {
        /// The type that is declared there.
        var type: TypeSyntax
        /// The types that aliases have led through, and `type`: each may have rules.
        var chain: [TypeSyntax]
        /// The field that holds it; nil for a whole reply.
        var field: ParameterSyntax?
        /// What it is called: `User.age`.
        var subject: String
        /// Whether it is the field itself, and not inside its list or map.
        var isField: Bool
    }

    private let models: [String: ModelSyntax]

    init(_ spec: Spec) {
        let models = SpecAnalyzer.expanded(spec).groups.flatMap(\.models)
        self.models = Dictionary(models.map { ($0.name.value, $0) }) { first, _ in first }
    }

    /// The steps of a path as ``Violation/path`` has it; nil for another text.
    static func steps(_ path: String) -> [Step]? {
        var steps: [Step] = []
        var rest = path == "$" ? "" : path[...]
        while let first = rest.first {
            if first == "[" {
                rest = rest.dropFirst()
                guard let end = rest.first == "\"" ? endOfQuoted(rest) : rest.firstIndex(of: "]")
                else { return nil }
                let text = rest[..<end]
                guard let step = Int(text).map(Step.index) ?? key(text) else { return nil }
                steps.append(step)
                rest = rest[end...].dropFirst()
            } else {
                if first == "." { rest = rest.dropFirst() }
                let name = rest.prefix { $0 != "." && $0 != "[" }
                steps.append(.key(String(name)))
                rest = rest.dropFirst(name.count)
            }
        }
        return steps
    }

    private static func endOfQuoted(_ text: Substring) -> Substring.Index? {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if text[index] == "\"", !isEscaped { return text.index(after: index) }
            isEscaped = text[index] == "\\" && !isEscaped
        }
        return nil
    }

    private static func key(_ quoted: Substring) -> Step? {
        JSONValue(json: quoted)?.asString.map(Step.key)
    }

    /// A path with its numbers left out: `items[*].age`.
    static func normal(_ path: String) -> String {
        path.replacing(#/\[\d+\]/#, with: "[*]")
    }

    /// The declaration that a path leads to from a type; nil if it leads to none.
    func find(_ steps: [Step], from type: TypeSyntax, of method: String) -> Found? {
        walk(
            steps[...],
            Found(type: type, chain: [], field: nil, subject: "\(method).returns", isField: false),
            depth: 0)
    }

    private func walk(_ steps: ArraySlice<Step>, _ found: Found, depth: Int) -> Found? {
        var found = found
        found.chain.append(found.type)
        while case .named(let name) = found.type.form, let model = models[name],
            found.chain.count < 100
        {
            found.type = model.type
            found.chain.append(model.type)
            found.subject = name
        }
        guard let step = steps.first else { return found }
        guard depth < 600 else { return nil }
        let next = { (type: TypeSyntax, count: Int, isField: Bool, found: Found) -> Found? in
            var inner = found
            (inner.type, inner.chain, inner.isField) = (type, [], isField)
            return walk(steps.dropFirst(count), inner, depth: depth + 1)
        }
        switch (found.type.form, step) {
        case (.list(let element), .index): return next(element, 1, false, found)
        case (.map(_, let value), .key): return next(value, 1, false, found)
        case (.object(let fields), .index(let index)):
            guard fields.indices.contains(index) else { return nil }
            return next(fields[index].type, 1, true, found.of(fields[index]))
        case (.object(let fields), .key):
            for field in fields where !field.isAdditional {
                let keys = field.jsonKeys.map(Step.key)
                guard steps.starts(with: keys) else { continue }
                return next(field.type, keys.count, true, found.of(field))
            }
            guard let further = fields.first(where: \.isAdditional) else { return nil }
            if case .map(_, let value) = further.type.form {
                return next(value, 1, false, found.of(further))
            }
            return next(further.type, 1, false, found.of(further))
        case (.union(let union), _):
            for item in union.alternatives {
                let content =
                    union.content?.value == UnionSyntax.namedByTag
                        || union.tag?.value == UnionSyntax.onlyKey
                    ? item.key?.text : union.content?.value
                if let content, step != .key(content) { continue }
                let count = content == nil ? 0 : 1
                if let result = next(item.type, count, false, found) { return result }
            }
            return nil
        default: return nil
        }
    }
}

extension SpecWalk.Found {
    /// The place of a field's declaration.
    fileprivate func of(_ field: ParameterSyntax) -> Self {
        var found = self
        found.field = field
        found.subject += "." + field.key.value
        return found
    }
}

extension ParameterSyntax {
    /// The keys that lead to the field in JSON.
    var jsonKeys: [String] {
        type.attributes.at?.value ?? [type.attributes.key?.value ?? key.value]
    }
}
