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
        var isRequired: Bool
    }

    /// All references from a model to others.
    private var references: [String: [String]] = [:]
    /// Fields and alternatives that contain a model directly, not in a list or a map.
    private var edges: [String: [Edge]] = [:]
    /// The number of other fields and alternatives whose values are not trivially copyable.
    private var ownWeights: [String: Int] = [:]
    private var names: [String] = []
    /// The models that are unions.
    private var unions: Set<String> = []
    /// The unions whose alternatives are all models. One of them is enough for a finite value.
    private var choices: Set<String> = []

    init(_ models: [Model]) {
        for model in models { add(model) }
        requireEndlessChoices()
    }

    private mutating func add(_ model: Model) {
        names.append(model.qualifiedName)
        for nested in model.nested { add(nested) }
        let name = model.qualifiedName
        references[name] = model.values.flatMap { $0.type.models }
        let own = model.values.map(\.type).filter { $0.contained == nil && !$0.isTrivial }
        ownWeights[name] = own.count
        switch model.kind {
        case .object(let fields):
            edges[name] = fields.compactMap { field in
                field.value.type.contained.map {
                    Edge(
                        target: $0, field: field.name,
                        isRequired: !field.isOptional && !field.value.isNullable)
                }
            }
        case .enumeration: break
        case .union(let union):
            edges[name] = union.cases.compactMap { item in
                item.value.type.contained.map {
                    Edge(target: $0, field: item.name, isRequired: false)
                }
            }
            unions.insert(name)
            if edges[name]?.count == union.cases.count { choices.insert(name) }
        }
    }

    /// Makes the alternatives of a union required if none of them has a finite value.
    private mutating func requireEndlessChoices() {
        if choices.isEmpty { return }
        let known = Set(names)
        /// The number of contained models that are not known to be finite; one is enough for a union.
        var waiting: [String: Int] = [:]
        var holders: [String: [String]] = [:]
        for name in names {
            let targets = (edges[name] ?? []).filter {
                ($0.isRequired || choices.contains(name)) && known.contains($0.target)
            }.map(\.target)
            waiting[name] = choices.contains(name) ? min(targets.count, 1) : targets.count
            for target in targets { holders[target, default: []].append(name) }
        }
        var finite = names.filter { waiting[$0] == 0 }
        while let name = finite.popLast() {
            for holder in holders[name] ?? [] {
                waiting[holder, default: 0] -= 1
                if waiting[holder] == 0 { finite.append(holder) }
            }
        }
        for name in choices where waiting[name, default: 0] > 0 {
            for index in edges[name, default: []].indices { edges[name]?[index].isRequired = true }
        }
    }

    /// The models reachable from `roots`, including these.
    func reachable(from roots: [String]) -> Set<String> {
        Self.reachable(from: roots, references)
    }

    /// The models from which one of `targets` is reachable, including these.
    func holders(of targets: [String]) -> Set<String> {
        var holders: [String: [String]] = [:]
        for (name, models) in references {
            for model in models { holders[model, default: []].append(name) }
        }
        return Self.reachable(from: targets, holders)
    }

    private static func reachable(
        from roots: [String], _ references: [String: [String]]
    ) -> Set<String> {
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
        components(\.isRequired).filter(hasRequiredCycle).map { component in
            let members = Set(component)
            let first = names.first { members.contains($0) } ?? component[0]
            return cycle(through: first, in: members)
        }
    }

    /// Whether a component is more than one model that does not contain itself.
    private func hasRequiredCycle(_ component: [String]) -> Bool {
        component.count > 1
            || edges[component[0], default: []].contains {
                $0.isRequired && $0.target == component[0]
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

    /// The largest weight of a model that is stored inside another one. The weight is the number of
    /// values that copying the model retains; a box is one of them.
    static let largestWeightInside = 16

    /// Fields and alternatives that are boxed: those on a cycle of direct containment, and those
    /// that hold a large model.
    ///
    /// Swift emits functions that copy and destroy a model with everything stored inside it. Without
    /// boxes they are half of the machine code of an API with deeply nested models.
    func indirectFields() -> Set<FieldID> {
        var result: Set<FieldID> = []
        var weights: [String: Int] = [:]
        // A component comes after those that it contains.
        for component in components({ _ in true }) {
            let members = Set(component)
            for name in component {
                var weight = ownWeights[name] ?? 0
                for (edge, inside, isBoxed) in storage(of: name, onCycleWith: members, weights) {
                    weight += isBoxed ? 1 : inside
                    if isBoxed { result.insert(FieldID(model: name, field: edge.field)) }
                }
                weights[name] = weight
            }
        }
        return result
    }

    /// The weights of contained models, and which of these are boxed.
    private func storage(
        of name: String, onCycleWith members: Set<String>, _ weights: [String: Int]
    ) -> [(edge: Edge, inside: Int, isBoxed: Bool)] {
        var parts = (edges[name] ?? []).map { edge in
            let isOnCycle = members.contains(edge.target) && !edge.isRequired
            return (edge: edge, inside: weights[edge.target] ?? 1, isBoxed: isOnCycle)
        }
        var limit = Self.largestWeightInside
        // One function copies all alternatives of a union, so that many small ones add up.
        let isHeavy = parts.reduce(0) { $0 + ($1.isBoxed ? 1 : $1.inside) } > limit
        if unions.contains(name), isHeavy { limit /= 4 }
        for index in parts.indices where parts[index].inside > limit {
            parts[index].isBoxed = true
        }
        return parts
    }

    /// The strongly connected components (Tarjan 1972), each after those that it contains.
    private func components(_ isCounted: (Edge) -> Bool) -> [[String]] {
        var search = ComponentSearch()
        let neighbours = edges.mapValues { $0.filter(isCounted).map(\.target) }
        for name in names { search.visit(name, neighbours) }
        return search.components
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
    /// The object or union that a value of the type is.
    fileprivate var contained: String? {
        switch self {
        case .object(let name), .union(let name): name
        default: nil
        }
    }

    /// The qualified names of the models it mentions.
    var models: [String] {
        switch self {
        case .object(let name), .union(let name), .enumeration(let name, _): [name]
        case .list(let element): element.type.models
        case .map(.enumeration(let key), let element): [key] + element.type.models
        case .map(_, let element): element.type.models
        default: []
        }
    }
}
