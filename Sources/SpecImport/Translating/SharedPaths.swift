/// Moves the beginning of paths that methods of a group share, with its parameters, to the group.
struct SharedPaths {
    /// The fewest methods for which a shared path is worth a place of its own.
    private static let fewest = 3
    /// The largest number of segments of a shared path.
    private static let longest = 20

    /// The beginning of a path, and its parameters in their order.
    private struct Prefix: Hashable {
        var path: String
        var fields: [DraftField]
    }

    static func hoist(in draft: inout SpecDraft) {
        for index in draft.groups.indices { hoist(in: &draft.groups[index]) }
    }

    private static func hoist(in group: inout DraftGroup) {
        // Parameters of the group come before those of a method's path, and after shared ones.
        guard group.documentation["parameters"] == nil, group.documentation["headers"] == nil
        else { return }
        let all = group.methods.flatMap(prefixes)
        let counts = Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +)
        var best: (prefix: Prefix, gain: Int)?
        for prefix in all {
            guard let count = counts[prefix], count >= fewest else { continue }
            let gain = gain(of: prefix, count, among: group.methods.count)
            if gain > best?.gain ?? 0 { best = (prefix, gain) }
        }
        guard let prefix = best?.prefix else { return }
        for index in group.methods.indices {
            group.methods[index].path =
                prefixes(of: group.methods[index]).contains(prefix)
                ? String(group.methods[index].path.dropFirst(prefix.path.count + 1))
                : "/" + group.methods[index].path
            guard !group.methods[index].path.hasPrefix("/") else { continue }
            group.methods[index].dropPathFields(prefix.fields.count)
        }
        group.documentation.append(DraftEntry("prefix", .text(prefix.path)))
        group.documentation.append(DraftEntry("path", .map(prefix.fields.map(\.entry))))
    }

    /// The characters that a shared path saves at least: of the path and its parameters in each method
    /// but one, less the quotes of an empty path, a `/` in each of the others, and the two keys.
    private static func gain(of prefix: Prefix, _ count: Int, among all: Int) -> Int {
        let fields = prefix.fields.map { $0.name.count + ": int".count }.reduce(0, +)
        return (count - 1) * (prefix.path.count + fields - 2) - (all - count) - 16
    }

    /// The beginnings of a path that end with a placeholder's segment or later, and whose parameters
    /// are the first of the method.
    private static func prefixes(of method: DraftMethod) -> [Prefix] {
        let fields = method.pathFields
        var prefixes: [Prefix] = []
        var path = ""
        var names: [String] = []
        let segments = method.path.split(separator: "/", omittingEmptySubsequences: false)
        for segment in segments.prefix(longest) {
            if segment.isEmpty { break }
            path += (path.isEmpty ? "" : "/") + segment
            names += segment.matches(of: #/\{\+?([^{}]*)\}/#).map { String($0.1) }
            let own = Array(fields.prefix(names.count))
            guard own.map(\.name) == names, !own.contains(where: \.type.isDeclaration) else {
                break
            }
            // `{id}/` is another path than `{id}`, and a path that begins with `/` leaves the shared one.
            let rest = method.path.dropFirst(path.count + 1)
            if !names.isEmpty, method.path == path || !rest.isEmpty && !rest.hasPrefix("/") {
                prefixes.append(Prefix(path: path, fields: own))
            }
        }
        return prefixes
    }
}

extension DraftMethod {
    /// The parameters of the path.
    fileprivate var pathFields: [DraftField] {
        sections.first { $0.name == "path" }?.fields ?? []
    }

    fileprivate mutating func dropPathFields(_ count: Int) {
        guard let index = sections.firstIndex(where: { $0.name == "path" }) else { return }
        sections[index].fields.removeFirst(count)
        if sections[index].fields.isEmpty { sections.remove(at: index) }
    }
}
