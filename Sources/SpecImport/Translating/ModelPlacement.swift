/// Puts each model beside the only group that uses it, or with the shared models.
struct ModelPlacement {
    private let types: DraftModels
    private let models: [DraftModel]

    private init(_ models: [DraftModel]) {
        types = DraftModels(models)
        self.models = models
    }

    /// Adds the models to the groups; a group of its own has what several use. Models that nothing
    /// uses are left out.
    static func place(in draft: inout SpecDraft, sharing shared: String) {
        ModelPlacement(draft.unplaced).place(into: &draft, sharing: shared)
        draft.unplaced = []
    }

    private func place(into draft: inout SpecDraft, sharing shared: String) {
        var users: [String: Set<Int>] = [:]
        for (index, group) in draft.groups.enumerated() {
            let names = group.documentation.flatMap(\.mentions) + group.methods.flatMap(\.mentions)
            for name in types.reachable(from: names) {
                users[name, default: []].insert(index)
            }
        }
        let ofAPI = types.reachable(from: draft.settings.flatMap(\.mentions))
        var group = DraftGroup(shared)
        for model in models {
            let owners = users[model.name] ?? []
            if ofAPI.contains(model.name) || owners.count > 1 {
                group.models.append(model)
            } else if let owner = owners.first {
                draft.groups[owner].models.append(model)
            }
        }
        draft.groups.removeAll { $0.methods.isEmpty && $0.models.isEmpty }
        if !group.models.isEmpty { draft.groups.append(group) }
    }
}

extension DraftMethod {
    /// The models that the method refers to.
    var mentions: [String] {
        sections.flatMap { $0.fields.flatMap(\.type.mentions) } + (body?.mentions ?? [])
            + returns.flatMap(\.type.mentions) + replyHeaders.flatMap(\.type.mentions)
            + settings.flatMap(\.mentions)
    }
}

extension DraftEntry {
    /// The models that a setting names: those of errors, and the types of parameters.
    fileprivate var mentions: [String] {
        switch value {
        case .text(let name): key == "model" ? [name] : []
        case .type(let type):
            type.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        case .map(let entries), .block(let entries): entries.flatMap(\.mentions)
        case .word, .list: []
        }
    }
}

/// Makes fields optional on which an object would always contain itself.
struct EndlessModels {
    private var types: [String: DraftType]
    private var states: [String: Bool] = [:]
    /// The models of which a field became optional, with the field.
    private var broken: [(model: String, field: String)] = []

    /// Corrects models, beginning with those that methods have. Which field becomes optional does
    /// not depend on their order.
    static func correct(in draft: inout SpecDraft, _ types: TypeTranslator) {
        var search = EndlessModels(draft.unplaced)
        let first = Set(draft.groups.flatMap(\.methods).flatMap(\.mentions))
        for name in first.sorted() + draft.unplaced.map(\.name).sorted() { search.visit(name) }
        for index in draft.unplaced.indices {
            draft.unplaced[index].type = search.types[draft.unplaced[index].name] ?? .json
        }
        for (model, field) in search.broken {
            types.lose(.cycle, "\(model).\(field)", at: types.span(of: model))
        }
    }

    private init(_ models: [DraftModel]) {
        types = Dictionary(
            models.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    }

    /// Follows required fields in depth. The chain is as long as the models are nested, so it is
    /// followed without recursion.
    private mutating func visit(_ start: String) {
        var path: [(name: String, targets: [(target: String, field: String)])] = []
        func targets(_ name: String) -> [(target: String, field: String)] {
            required(in: types[name])
        }
        guard states[start] == nil else { return }
        states[start] = false
        path.append((start, targets(start)))
        while var last = path.popLast() {
            guard let next = last.targets.popLast() else {
                states[last.name] = true
                continue
            }
            path.append(last)
            switch states[next.target] {
            case true?: break
            case false?:
                types[last.name]?.makeOptional(next.field, holding: next.target)
                broken.append((last.name, next.field))
            case nil:
                guard types[next.target] != nil else { continue }
                states[next.target] = false
                path.append((next.target, targets(next.target)))
            }
        }
    }

    /// The models that a value always contains.
    private func required(in type: DraftType?) -> [(target: String, field: String)] {
        guard let type else { return [] }
        switch type.form {
        case .named(let name): return [(name, "")]
        case .object(let object):
            return object.mixins.map { ($0, "") }
                + object.fields.filter { !$0.type.isOptional && !$0.type.isNullable }.flatMap {
                    field in
                    required(in: field.type).map { ($0.target, field.name) }
                }
        default: return []
        }
    }
}

extension DraftType {
    fileprivate mutating func makeOptional(_ field: String, holding target: String) {
        guard case .object(var object) = form else { return }
        for index in object.fields.indices where object.fields[index].name == field {
            object.fields[index].type.isOptional = true
        }
        form = .object(object)
    }
}
