import SpecSemantics

/// The words with which nearly all names of an API begin, and which therefore say nothing.
enum SharedBeginning {
    /// The fewest names among which a beginning is common.
    private static let fewest = 4
    /// Words that tell what names of one kind do.
    static let verbs: Set<String> = [
        "get", "list", "find", "read", "show", "retrieve", "fetch", "search", "create", "add",
        "new",
        "post", "put", "patch", "update", "set", "delete", "remove",
    ]

    /// Each name without the beginning; all stay as they are if two of them would become one, or
    /// one would have no word left.
    ///
    /// - Parameter nouns: Words that a name may not lose, such as those of groups.
    static func removed(from names: Set<String>, keeping nouns: Set<String> = []) -> [String:
        String]
    {
        let plain = Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })
        let words = names.sorted().map { (name: $0, words: ImportNames.words($0)) }
        let beginning = beginning(of: words.map(\.words)).prefix {
            !nouns.contains(singular($0))
        }
        guard !beginning.isEmpty else { return plain }
        var result = plain
        for (name, words) in words where words.starts(with: beginning) {
            let rest = rest(of: name, behind: beginning.count)
            guard let first = rest.first, first.isLetter else { return plain }
            result[name] = rest
        }
        let distinct = Set(result.values.map { ImportNames.words($0).joined() })
        return distinct.count == Set(words.map { $0.words.joined() }).count ? result : plain
    }

    /// The words with which at least nine of ten lists begin, of which each keeps one.
    static func beginning(of lists: [[String]]) -> [String] {
        let lists = lists.filter { !$0.isEmpty }
        guard lists.count >= fewest else { return [] }
        var beginning: [String] = []
        while true {
            let open = lists.filter { $0.starts(with: beginning) }
            let counts = Dictionary(
                open.compactMap { $0.dropFirst(beginning.count).first }.map { ($0, 1) },
                uniquingKeysWith: +)
            guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
                most.value * 10 >= lists.count * 9, !verbs.contains(most.key)
            else { break }
            beginning.append(most.key)
        }
        return beginning
    }

    /// The text behind its first words.
    private static func rest(of name: String, behind count: Int) -> String {
        let words = SwiftNamer.words(name)
        guard words.count > count else { return "" }
        var rest = name[...]
        for word in words.prefix(count) {
            guard let range = rest.firstRange(of: word) else { return "" }
            rest = rest[range.upperBound...]
        }
        return String(rest.drop { !$0.isLetter && !$0.isNumber })
    }
}
