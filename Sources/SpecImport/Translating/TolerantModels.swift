/// Lets replies leave out keys that their description requires: the fields become optional, and a
/// rule names those that are missing, which `validate: warn` only reports.
///
/// The alternatives of unions keep their fields, because these may tell them apart.
struct TolerantModels {
    /// The most fields of a rule, so that its expression stays readable.
    private static let fieldsOfRule = 8

    /// Changes the models that replies contain.
    static func relax(in draft: inout SpecDraft) {
        let models = draft.unplaced
        let types = DraftModels(models)
        let replies = draft.groups.flatMap(\.methods).flatMap(\.returns).map(\.type)
        var alternatives = Set((replies + models.map(\.type)).flatMap(\.alternatives))
        for case .object(let object)? in alternatives.map({ types[$0]?.form }) {
            alternatives.formUnion(object.mixins)
        }
        let seen = types.reachable(from: replies.flatMap(\.mentions))
        for index in models.indices
        where seen.contains(models[index].name) && !alternatives.contains(models[index].name) {
            relax(&draft.unplaced[index].type)
        }
    }

    private static func relax(_ type: inout DraftType) {
        guard case .object(var object) = type.form else { return }
        var names: [String] = []
        for index in object.fields.indices where object.fields[index].isRequired {
            object.fields[index].type.isOptional = true
            names.append(object.fields[index].name)
        }
        guard !names.isEmpty else { return }
        type.form = .object(object)
        let rules = stride(from: 0, to: names.count, by: fieldsOfRule).map { start in
            let part = names[start..<min(start + fieldsOfRule, names.count)]
            let terms = part.map { name in
                let isWord = name.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
                }
                return "present(\(isWord ? name : "`\(name)`"))"
            }
            return DraftValue.map([DraftEntry("expr", .text(terms.joined(separator: " and ")))])
        }
        type.attributes.append(DraftEntry("rules", .list(rules)))
    }
}

extension DraftField {
    /// Whether it is always there, and may be missing without another meaning of its object.
    fileprivate var isRequired: Bool {
        if case .constant = type.form { return false }
        return !type.isOptional && !name.contains("`") && name.count <= 50
            && type.attributes["default"] == nil && type.attributes["const"] == nil
    }
}

extension DraftType {
    /// The models that are alternatives of unions in it.
    fileprivate var alternatives: [String] {
        switch form {
        case .named, .enumeration, .constant: return []
        case .list(let element): return element.alternatives
        case .map(_, let value): return value.alternatives
        case .object(let object):
            return object.fields.flatMap(\.type.alternatives)
                + (object.additional?.alternatives ?? [])
        case .union(let union):
            return union.alternatives.flatMap { $0.type.mentions + $0.type.alternatives }
        }
    }
}
