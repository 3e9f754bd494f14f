import SpecIR

/// What the keys and words of the language mean, in the sentences of the reference pages.
package struct KeyMeanings: Sendable {
    /// A meaning.
    package struct Meaning: Sendable {
        /// A sentence in Markdown, without a full stop.
        package var text: String
        /// The page that has more.
        package let page: String
    }

    /// The meanings of all keys.
    package static let all = KeyMeanings()

    private var meanings: [String: Meaning] = [:]

    private init() {
        var (mapping, page) = ("", "")
        var keys: [String] = []
        for line in Self.table.split(separator: "\n") {
            if line.hasPrefix("# "), let bracket = line.lastIndex(of: "(") {
                mapping = String(line[..<bracket].dropFirst(2).dropLast())
                page = String(line[bracket...].dropFirst().dropLast())
            } else if line.hasPrefix("  ") {
                for key in keys { meanings[key]?.text += line.dropFirst() }
            } else if let colon = line.firstRange(of: ": ") {
                keys = line[..<colon.lowerBound].split(separator: " ").map { "\(mapping): \($0)" }
                let meaning = Meaning(text: String(line[colon.upperBound...]), page: page)
                for key in keys { meanings[key] = meaning }
            }
        }
    }

    /// The meaning of a key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - mapping: The name of the mapping that it stands in, as in ``GrammarTrace/Mapping``.
    ///   - takesRules: Whether rules of values stand in it as well.
    package func meaning(of key: String, in mapping: String, takesRules: Bool = false) -> Meaning? {
        let own = mapping.replacing(" of a method", with: "")
        // Settings are explained where they are most often written.
        let shared = ["`api.yaml`", "a group"].contains(mapping) ? ["a method", "`api.yaml`"] : []
        let found = ([mapping, own] + shared).lazy.compactMap { meanings["\($0): \(key)"] }.first
        let rule = takesRules ? RuleName(key: key)?.rawValue : nil
        return found ?? rule.flatMap { meanings["the rules: \($0)"] }
    }

    /// The meaning of a type of the language.
    package func meaning(ofType name: String) -> Meaning? { meanings["the types: \(name)"] }
}
