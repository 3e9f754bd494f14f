/// The models of a draft by name.
struct DraftModels {
    private(set) var types: [String: DraftType]

    init(_ models: [DraftModel]) {
        types = Dictionary(
            models.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> DraftType? { types[name] }

    /// The names, and all models that those contain.
    func reachable(from names: [String]) -> Set<String> {
        var seen: Set<String> = []
        var open = names
        while let name = open.popLast() {
            guard let type = types[name], seen.insert(name).inserted else { continue }
            open += type.mentions
        }
        return seen
    }
}

extension DraftMethod {
    /// The models that a request contains.
    var sentModels: [String] {
        sections.flatMap { $0.fields.flatMap(\.type.mentions) } + (body?.mentions ?? [])
    }
}

extension DraftType {
    /// Changes the type and all types inside it, from the inside.
    mutating func changeAll(_ change: (inout DraftType) -> Void) {
        switch form {
        case .named, .enumeration, .constant: break
        case .list(var element):
            element.changeAll(change)
            form = .list(element)
        case .map(var key, var value):
            key.changeAll(change)
            value.changeAll(change)
            form = .map(key: key, value: value)
        case .object(var object):
            for index in object.fields.indices { object.fields[index].type.changeAll(change) }
            object.additional?.changeAll(change)
            form = .object(object)
        case .union(var union):
            for index in union.alternatives.indices {
                union.alternatives[index].type.changeAll(change)
            }
            form = .union(union)
        }
        change(&self)
    }
}
