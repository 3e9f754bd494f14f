import SpecIR

/// The containment graph of models.
struct ModelGraph {
    /// A field, by the qualified name of its model and its Swift name.
    struct FieldID: Hashable {
        let model: String
        let field: String
    }

    private struct Edge {
        let target: String
        let field: String
        /// Whether a value always contains a value of the target.
        let isRequired: Bool
    }

    /// All references from a model to others.
    private var references: [String: [String]] = [:]
    /// Fields that contain a model directly, not in a list or a map.
    private var edges: [String: [Edge]] = [:]
    private var names: [String] = []

    init(_ models: [Model]) {
        for model in models { add(model) }
    }

    private mutating func add(_ model: Model) {
        names.append(model.qualifiedName)
        for nested in model.nested { add(nested) }
        guard case .object(let fields) = model.kind else { return }
        references[model.qualifiedName] = fields.flatMap { $0.value.type.models }
        edges[model.qualifiedName] = fields.compactMap { field in
            guard case .object(let target) = field.value.type else { return nil }
            return Edge(
                target: target, field: field.name,
                isRequired: !field.isOptional && !field.value.isNullable)
        }
    }

    /// The models reachable from `roots`, including these.
    func reachable(from roots: [String]) -> Set<String> {
        var seen: Set<String> = []
        var open = roots
        while let name = open.popLast() {
            if seen.insert(name).inserted { open += references[name] ?? [] }
        }
        return seen
    }

    /// Cycles of required fields, for which no finite value exists. Each strongly connected
    /// component gives one cycle, from its first model in file order.
    func requiredCycles() -> [[String]] {
        components(\.isRequired).map { component in
            let members = Set(component)
            let first = names.first { members.contains($0) } ?? component[0]
            return cycle(through: first, in: members)
        }
    }

    /// The shortest cycle of required fields through a model.
    private func cycle(through start: String, in members: Set<String>) -> [String] {
        var cameFrom: [String: String] = [:]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let name = queue[next]
            next += 1
            for edge in edges[name] ?? [] where edge.isRequired && members.contains(edge.target) {
                if edge.target == start { return path(to: name, from: start, cameFrom: cameFrom) }
                if cameFrom[edge.target] != nil { continue }
                cameFrom[edge.target] = name
                queue.append(edge.target)
            }
        }
        return [start]
    }

    private func path(to end: String, from start: String, cameFrom: [String: String]) -> [String] {
        var path = [end]
        while let last = path.last, last != start, let before = cameFrom[last] {
            path.append(before)
        }
        return path.reversed()
    }

    /// Fields that must be boxed, because they are on a cycle of direct containment.
    func indirectFields() -> Set<FieldID> {
        var result: Set<FieldID> = []
        for component in components({ _ in true }) {
            let members = Set(component)
            for name in component {
                for edge in edges[name] ?? [] where members.contains(edge.target) {
                    if !edge.isRequired { result.insert(FieldID(model: name, field: edge.field)) }
                }
            }
        }
        return result
    }

    /// The strongly connected components that contain a cycle (Tarjan 1972).
    private func components(_ isCounted: (Edge) -> Bool) -> [[String]] {
        var search = ComponentSearch()
        let neighbours = edges.mapValues { $0.filter(isCounted).map(\.target) }
        for name in names { search.visit(name, neighbours) }
        return search.components.filter { component in
            component.count > 1
                || neighbours[component[0], default: []].contains(component[0])
        }
    }
}

/// Tarjan's algorithm for strongly connected components. It is iterative, so that a long chain of
/// models cannot overflow the stack.
private struct ComponentSearch {
    private var indices: [String: Int] = [:]
    private var lows: [String: Int] = [:]
    private var open: [String] = []
    private var isOpen: Set<String> = []
    private(set) var components: [[String]] = []

    mutating func visit(_ root: String, _ neighbours: [String: [String]]) {
        guard indices[root] == nil else { return }
        var path: [(name: String, next: Int)] = []
        enter(root, &path)
        while let (name, next) = path.last {
            let targets = neighbours[name] ?? []
            if next < targets.count {
                path[path.count - 1].next += 1
                let target = targets[next]
                if indices[target] == nil {
                    enter(target, &path)
                } else if isOpen.contains(target) {
                    lows[name] = min(lows[name] ?? 0, indices[target] ?? 0)
                }
                continue
            }
            path.removeLast()
            if let parent = path.last?.name {
                lows[parent] = min(lows[parent] ?? 0, lows[name] ?? 0)
            }
            if lows[name] == indices[name] { close(name) }
        }
    }

    private mutating func enter(_ name: String, _ path: inout [(name: String, next: Int)]) {
        indices[name] = indices.count
        lows[name] = indices[name]
        open.append(name)
        isOpen.insert(name)
        path.append((name, 0))
    }

    private mutating func close(_ name: String) {
        var component: [String] = []
        while let last = open.popLast() {
            isOpen.remove(last)
            component.append(last)
            if last == name { break }
        }
        components.append(component.reversed())
    }
}

extension ValueType {
    /// The qualified names of the models it mentions.
    var models: [String] {
        switch self {
        case .object(let name), .enumeration(let name, _): [name]
        case .list(let element): element.type.models
        case .map(.enumeration(let key), let element): [key] + element.type.models
        case .map(_, let element): element.type.models
        default: []
        }
    }
}
