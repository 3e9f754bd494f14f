import SpecIR

/// Values and properties of the IR as words of sentences.
enum SentenceText {
    /// The words of a property: `isCoalesced` is `coalesced`, `replyBytes` is `reply bytes`.
    static func words(of label: String) -> String {
        let words = label.reduce(into: "") { text, letter in
            text += letter.isUppercase ? " " + letter.lowercased() : String(letter)
        }
        return words.hasPrefix("is ") ? String(words.dropFirst(3)) : words
    }

    /// The noun and the name of a part; the only scheme of an API has no name.
    static func named(_ part: some ComparedPart) -> String {
        part.partName.isEmpty ? type(of: part).noun : "\(type(of: part).noun) `\(part.partName)`"
    }

    /// A value in one line.
    static func text(of value: Any?) -> String {
        guard let value else { return "none" }
        switch value {
        case let text as String: return "`\(text)`"
        case let rule as CrossRule: return rule.text
        case let path as [PathStep] where !path.isEmpty: return "`\(path.shown)`"
        case let verb as HTTPVerb: return "`\(verb.name)`"
        case let word as any RawRepresentable<String>: return word.rawValue
        default: break
        }
        let mirror = Mirror(reflecting: value)
        let texts = mirror.children.map { text(of: $0.value) }
        switch mirror.displayStyle {
        case .optional: return texts.first ?? "none"
        case .enum:
            guard let content = mirror.children.first else { return words(of: "\(value)") }
            let isPlain = value is Literal || value is RuleArgument
            return (isPlain ? "" : words(of: content.label ?? "") + " ") + texts[0]
        case .collection: return texts.isEmpty ? "none" : list(texts)
        case .set: return texts.isEmpty ? "none" : list(texts.sorted())
        // Ranges have properties, too, and a shorter text.
        case .struct where value is ClosedRange<Int>: return "\(value)"
        case .struct, .tuple:
            return list(
                zip(mirror.children, texts).compactMap { member, text in
                    let label = member.label ?? "."
                    if label.hasPrefix(".") { return text }
                    return Mirror(reflecting: member.value).displayStyle == .optional
                        && text == "none" ? nil : "\(words(of: label)) \(text)"
                })
        default: return "\(value)"
        }
    }

    private static func list(_ items: [String]) -> String { items.joined(separator: ", ") }
}
