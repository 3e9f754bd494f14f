/// The order in which declarations that refer to each other are resolved: each after those that it
/// refers to. The search is iterative, so that a long chain cannot overflow the stack.
struct DependencyOrder {
    /// All declarations, those on a cycle included.
    private(set) var sorted: [String] = []
    /// Each cycle, from the declaration that was reached first.
    private(set) var cycles: [[String]] = []
    private var seen: Set<String> = []

    /// Orders declarations.
    ///
    /// - Parameters:
    ///   - names: The declarations in the order of the files.
    ///   - targets: Returns the declarations that one refers to, in order.
    init(_ names: [String], targets: (String) -> [String]) {
        for name in names { visit(name, targets) }
    }

    private mutating func visit(_ root: String, _ targets: (String) -> [String]) {
        guard seen.insert(root).inserted else { return }
        var path = [(name: root, open: Array(targets(root).reversed()))]
        var isOpen: Set<String> = [root]
        while let last = path.indices.last {
            guard let next = path[last].open.popLast() else {
                let name = path.removeLast().name
                isOpen.remove(name)
                sorted.append(name)
                continue
            }
            if isOpen.contains(next) {
                let start = path.firstIndex { $0.name == next } ?? 0
                cycles.append(path[start...].map(\.name))
            } else if seen.insert(next).inserted {
                path.append((next, targets(next).reversed()))
                isOpen.insert(next)
            }
        }
    }

    /// `A → B → A`, cut in the middle if it is long.
    static func shown(cycle: [String]) -> String {
        var names = cycle + cycle.prefix(1)
        if names.count > 9 { names.replaceSubrange(4..<names.count - 3, with: ["…"]) }
        return names.joined(separator: " → ")
    }
}
