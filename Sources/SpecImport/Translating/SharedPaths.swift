import SpecDiagnostics
import SpecSyntax

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

        var isPlain: Bool { fields.isEmpty }

        /// Whether so many methods have the prefix that the others are exceptions. Without
        /// parameters it saves less, and has to fit nearly all.
        func isUsual(_ count: Int, among all: Int) -> Bool {
            isPlain ? count * 5 >= all * 4 : count * 2 > all
        }

        /// The prefix without what methods say about its parameters.
        var bare: Prefix {
            var bare = self
            for index in fields.indices {
                bare.fields[index].type.attributes.removeAll { Self.notes.contains($0.key) }
            }
            return bare
        }

        private static let notes: Set<String> = ["doc", "example", "examples"]

        /// The prefix with what several say about its parameters: what all of their texts begin
        /// with, or the most frequent notes.
        func documented(like others: [Prefix]) -> Prefix {
            var result = self
            for index in fields.indices {
                let types = others.map(\.fields[index].type)
                let counts = Dictionary(types.map { ($0, 1) }, uniquingKeysWith: +)
                let rated = counts.map { type, count in
                    (type: type, count: count, text: SpecDraftWriter.line(type))
                }
                // Of notes that are equally frequent, the shortest.
                let best = rated.min {
                    ($1.count, $0.text.count, $0.text) < ($0.count, $1.text.count, $1.text)
                }
                guard var type = best?.type else { continue }
                if let text = Self.beginning(of: types.compactMap { $0.attributes["doc"] }),
                    let doc = type.attributes.firstIndex(where: { $0.key == "doc" })
                {
                    type.attributes[doc].value = .text(text)
                }
                result.fields[index].type = type
            }
            return result
        }

        /// The words that different texts begin with, if they are a text of their own: `The ID of
        /// the role` of `The ID of the role to delete`.
        private static func beginning(of docs: [DraftValue]) -> String? {
            let texts = Set(docs).compactMap { doc -> [Substring]? in
                guard case .text(let text) = doc else { return nil }
                return text.drop { $0 == " " }.split(separator: " ").map { $0 }
            }
            guard texts.count > 1, let first = texts.first else { return nil }
            let open: Set<Substring> = [
                "to", "of", "for", "the", "a", "an", "this", "that", "whose",
            ]
            var words = texts.dropFirst().reduce(first) { common, words in
                zip(common, words).prefix { $0.0.trimmingDot == $0.1.trimmingDot }.map(\.0)
            }
            while let last = words.last, open.contains(last) { words.removeLast() }
            guard words.count > 2 else { return nil }
            return words.joined(separator: " ").trimmingDot + "."
        }
    }

    /// - Parameter last: The files of the last import. Its groups keep their paths, since methods may
    ///   have been added to them by hand.
    static func hoist(in draft: inout SpecDraft, keeping last: [(name: String, text: String)]) {
        var known: [String: String] = [:]
        for file in last { known[file.name] = prefix(inFile: file.text) ?? "" }
        for index in draft.groups.indices {
            hoist(in: &draft.groups[index], known["\(draft.groups[index].name).yaml"])
        }
    }

    /// The shared path of a group's file.
    private static func prefix(inFile text: String) -> String? {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let source = sources.add(path: "", text: text)
        return YAMLReader.read(source, into: &bag)?.value(of: "prefix")?.text
    }

    /// - Parameter known: The path to choose; empty for none, nil for the best one.
    private static func hoist(in group: inout DraftGroup, _ known: String?) {
        // Parameters of the group come before those of a method's path, and after shared ones.
        let hasArguments =
            group.documentation["parameters"] != nil || group.documentation["headers"] != nil
        let all = group.methods.map { prefixes(of: $0).filter { !hasArguments || $0.isPlain } }
        var users: [Prefix: [Int]] = [:]
        for (index, prefixes) in all.enumerated() {
            for prefix in prefixes where known == nil || prefix.path == known {
                users[prefix.bare, default: []].append(index)
            }
        }
        let candidates = users.map { bare, indices in
            let own = indices.flatMap { index in all[index].filter { $0.bare == bare } }
            return (prefix: bare.documented(like: own), indices: indices)
        }
        let rated = candidates.map { prefix, indices in
            (prefix: prefix, indices: indices, gain: gain(of: prefix, indices, in: group))
        }
        // Of two that save the same, the shorter one serves more methods.
        let best = rated.filter { candidate in
            let count = candidate.indices.count
            return known != nil
                || count >= fewest && candidate.gain > 0
                    && candidate.prefix.isUsual(count, among: group.methods.count)
        }.max { ($0.gain, $1.prefix.path) < ($1.gain, $0.prefix.path) }
        guard let best else { return }
        for index in group.methods.indices {
            guard best.indices.contains(index) else {
                group.methods[index].path = "/" + group.methods[index].path
                continue
            }
            let rest = group.methods[index].path.dropFirst(best.prefix.path.count + 1)
            group.methods[index].path = String(rest)
            group.methods[index].dropPathFields(named: best.prefix.fields.map(\.name))
        }
        group.documentation.append(DraftEntry("prefix", .text(best.prefix.path)))
        let entries = best.prefix.fields.filter { $0.type != .named("string") }.map(\.entry)
        if !entries.isEmpty { group.documentation.append(DraftEntry("path", .map(entries))) }
    }

    /// The characters that a shared path saves: of the path and its parameters in each method, less
    /// the quotes of an empty path, a `/` in each of the others, and what the group says.
    private static func gain(
        of prefix: Prefix, _ indices: [Int], in group: DraftGroup
    ) -> Int {
        let saved = indices.reduce(0) { sum, index in
            let method = group.methods[index]
            let fields = method.pathFields.filter { field in
                prefix.fields.contains { $0.name == field.name }
            }
            let isEmpty = method.path == prefix.path
            return sum + prefix.path.count + (isEmpty ? -2 : 1) + size(of: fields)
        }
        let declared = prefix.path.count + "prefix: \n".count + size(of: prefix.fields)
        return saved - (group.methods.count - indices.count) - declared
    }

    private static func size(of fields: [DraftField]) -> Int {
        let entries = fields.filter { $0.type != .named("string") }.map(\.entry)
        return entries.isEmpty ? 0 : SpecDraftWriter.size(of: [DraftEntry("path", .map(entries))])
    }

    /// The beginnings of a path, whose parameters are the first of the method.
    private static func prefixes(of method: DraftMethod) -> [Prefix] {
        let fields = method.pathFields
        var prefixes: [Prefix] = []
        var path = ""
        var own: [DraftField] = []
        let segments = method.path.split(separator: "/", omittingEmptySubsequences: false)
        for segment in segments.prefix(longest) {
            if segment.isEmpty { break }
            path += (path.isEmpty ? "" : "/") + segment
            let names = segment.placeholders.map { $0.hasPrefix("+") ? String($0.dropFirst()) : $0 }
            own += names.map { name in
                fields.first { $0.name == name } ?? DraftField(name, .named("string"))
            }
            if own.contains(where: \.type.isDeclaration) { break }
            let rest = method.path.dropFirst(path.count + 1)
            // `{id}/` is another path than `{id}`, and a path that begins with `/` leaves the
            // shared one.
            if method.path == path || !rest.isEmpty && !rest.hasPrefix("/") {
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

    fileprivate mutating func dropPathFields(named names: [String]) {
        guard let index = sections.firstIndex(where: { $0.name == "path" }) else { return }
        sections[index].fields.removeAll { names.contains($0.name) }
        if sections[index].fields.isEmpty { sections.remove(at: index) }
    }
}

extension StringProtocol {
    /// The text without a full stop at its end.
    fileprivate var trimmingDot: String { last == "." ? String(dropLast()) : String(self) }
}
