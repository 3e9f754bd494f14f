import SpecSemantics

/// The paths of recorded requests with placeholders in place of what varies.
struct TrafficPaths {
    /// A request as far as its path matters.
    struct Sample: Hashable {
        let verb: String
        let segments: [String]
        /// The keys of its reply, or another word for its form; empty for a failed one.
        let form: String
    }

    /// The placeholder of a pattern.
    static let placeholder = "{}"
    /// So many texts at one place, with replies of one form, are values.
    private static let fewestTexts = 3

    private var patterns: [[String]: [String]] = [:]

    init(_ samples: Set<Sample>) {
        var known: [Sample: [String]] = [:]
        for sample in samples {
            known[sample] = sample.segments.map { Self.isValue($0) ? Self.placeholder : $0 }
        }
        // From the end of paths, where values mostly are.
        let longest = samples.map(\.segments.count).max() ?? 0
        for place in (1..<max(longest, 1)).reversed() {
            let groups = Dictionary(grouping: known.filter { $0.value.count > place }) { item in
                var rest = item.value
                rest[place] = ""
                return [item.key.verb, item.key.form] + rest
            }
            for group in groups.values {
                let texts = Set(group.map { $0.value[place] }).subtracting([Self.placeholder])
                guard texts.count >= Self.fewestTexts, group.allSatisfy({ !$0.key.form.isEmpty })
                else { continue }
                for item in group { known[item.key]?[place] = Self.placeholder }
            }
        }
        for (sample, pattern) in known where patterns[sample.segments].map({ $0 != pattern }) ?? true {
            // A path is one for all verbs.
            let old = patterns[sample.segments] ?? pattern
            patterns[sample.segments] = zip(old, pattern).map { $0 == Self.placeholder ? $0 : $1 }
        }
    }

    /// The pattern of a path.
    func pattern(of segments: [String]) -> [String] { patterns[segments] ?? segments }

    /// The literal segments that all patterns begin with; each has another literal behind them.
    func sharedBeginning(_ used: Set<[String]>) -> [String] {
        guard var shared = used.first else { return [] }
        for pattern in used {
            shared = Array(zip(shared, pattern).prefix { $0 == $1 }.map(\.0))
        }
        shared = Array(shared.prefix { $0 != Self.placeholder })
        while !shared.isEmpty,
            used.contains(where: { pattern in
                pattern.dropFirst(shared.count).allSatisfy { $0 == Self.placeholder }
            })
        {
            shared.removeLast()
        }
        return shared
    }

    /// Whether a segment is a number, a UUID, a hash or the like.
    static func isValue(_ text: String) -> Bool {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        let hasDigit = text.utf8.contains { 0x30...0x39 ~= $0 }
        let isHex = text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit || $0 == 0x2D }
        let isLong = text.utf8.count >= 20 && text.contains(where: \.isLetter)
        // Dots alone would lead elsewhere in a path.
        if text.allSatisfy({ $0 == "." }) { return true }
        return isNumber || hasDigit && (isHex && text.utf8.count >= 8 || isLong) || text.contains("@")
    }
}
