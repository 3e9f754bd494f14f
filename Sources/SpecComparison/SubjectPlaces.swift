import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// The places of the subjects of changes in one version of a spec.
public struct SubjectPlaces: Sendable {
    private let sources: SourceMap
    private var spans: [String: Span] = [:]

    /// Finds the places of all parts of a spec.
    public init(of spec: Spec, in sources: SourceMap) {
        self.sources = sources
        if let api = spec.api {
            spans[APIComparison.api] = api.span
            add(api.parameters, in: "parameters")
            add(api.settings.errors)
        }
        for group in spec.groups { add(group) }
    }

    /// The file and the line of a subject, or of the innermost part around it that this version has,
    /// and how much of the subject that part is.
    func place(of subject: String) -> (path: String, line: Int, depth: Int)? {
        var names = subject.split(separator: ".").map(String.init)
        while !names.isEmpty {
            if let span = spans[Self.normal(names.joined(separator: "."))] {
                return place(span, depth: names.count)
            }
            names.removeLast()
        }
        return spans[APIComparison.api].map { place($0, depth: 0) }
    }

    private func place(_ span: Span, depth: Int) -> (path: String, line: Int, depth: Int) {
        (sources[span.file].path, sources.position(of: span).line, depth)
    }

    /// A name as it is compared: Swift names differ from the keys of a spec by case and separators.
    private static func normal(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "$" }
    }

    private mutating func add(_ name: String, _ span: Span) {
        let name = Self.normal(name)
        if spans[name] == nil { spans[name] = span }
    }

    private mutating func add(_ group: GroupSyntax) {
        add(group.name, group.span)
        add(group.settings.errors)
        for method in group.methods {
            let name = MethodSyntax.fullName(method.name.value, in: group.name)
            add(name, method.name.span)
            add(method.parameters, in: name)
            add(method.settings.errors)
            if let type = method.returns {
                add("\(name).returns", type.span)
                add(type, in: "\(name).returns")
            }
            for reply in method.replies {
                add("\(name).returns.\(reply.status.value)", reply.status.span)
                add(reply.type, in: "\(name).returns.\(reply.status.value)")
            }
            for extraction in method.extractions {
                add("\(name).\(extraction.name.value)", extraction.name.span)
            }
        }
        for model in group.models {
            add(model.name.value, model.name.span)
            add(model.type, in: model.name.value)
        }
    }

    private mutating func add(_ parameters: [ParameterSyntax], in parent: String) {
        for parameter in parameters {
            let name = "\(parent).\(parameter.key.value)"
            add(name, parameter.key.span)
            add(parameter.type, in: name)
        }
    }

    private mutating func add(_ errors: ErrorsSyntax?) {
        for item in errors?.cases ?? [] { add("errors.\(item.name.value)", item.name.span) }
    }

    /// Adds the members of a type that is declared inline.
    private mutating func add(_ type: TypeSyntax, in parent: String) {
        switch type.form {
        case .object(let fields): add(fields, in: parent)
        case .enumeration(let values):
            for item in values.cases {
                let name = item.name ?? Located(item.value.text, at: item.value.span)
                add("\(parent).\(name.value)", name.span)
            }
        case .union(let union):
            for item in union.alternatives {
                if let key = item.key { add("\(parent).\(key.text)", key.span) }
            }
        case .list(let element), .map(_, let element): add(element, in: parent)
        case .named, .invalid: break
        }
        for join in type.joins { add("\(parent).\(join.name.value)", join.name.span) }
    }
}
