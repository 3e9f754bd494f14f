import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Declares the replies of methods that have a template and no `returns`.
public enum TemplateTypes {
    /// Adds the types to a spec as if its author had written them. Their text is a source of its own.
    ///
    /// - Parameter bag: Where mistakes in the types go. Mistakes in templates are not reported here.
    public static func add(
        to spec: inout Spec, _ sources: inout SourceMap, into bag: inout DiagnosticBag
    ) {
        guard let api = spec.api, !spec.templates.isEmpty else { return }
        var ignored = DiagnosticBag()
        let table = TemplateTable(spec, into: &ignored)
        var taken = Set(spec.groups.flatMap(\.models).map(\.name.value))
        // Methods that share a template share its types.
        var known: [FileID: (path: [PathStep], type: TypeSyntax)] = [:]
        for index in spec.groups.indices {
            let group = spec.groups[index]
            for (place, method) in group.methods.enumerated() where method.declaresNoReply {
                let name = MethodSyntax.fullName(method.name.value, in: group.name)
                guard let entry = table.entries[name] else { continue }
                let path =
                    SettingsCascade(api, group: group, method: method).unwrap?.value ?? []
                if let (first, type) = known[entry.source.id], first == path {
                    spec.groups[index].methods[place].returns = type
                    continue
                }
                let types = TypeInference.types(
                    of: entry.reading.shape, at: path, named: name, taken: taken, in: api)
                let source = sources.add(
                    path: "\(entry.source.path) (as types)", text: types.text)
                guard let declared = SpecParser.group(source, into: &bag),
                    let type = declared.methods.first?.returns
                else { continue }
                spec.groups[index].methods[place].returns = type
                spec.groups[index].models += declared.models
                taken.formUnion(declared.models.map(\.name.value))
                known[entry.source.id] = (path, type)
            }
        }
    }
}

extension MethodSyntax {
    /// Whether the method says nothing of its reply, which is one value.
    fileprivate var declaresNoReply: Bool {
        returns == nil && replies.isEmpty && call.stream == nil
            && [nil, .data, .upload].contains(call.kind?.value)
    }
}

extension TypeInference.Types {
    /// A group with the types.
    fileprivate var text: String {
        "methods:\n  reply:\n    get: reply\n    returns: \(reply)\n"
            + (models.isEmpty ? "" : "models:\n" + models)
    }
}
