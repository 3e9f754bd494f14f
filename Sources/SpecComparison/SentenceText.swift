import SpecIR
import SpecSyntax

/// Values of the IR as the spec writes them.
enum SentenceText {
    /// A value in one line; nil if the spec writes nothing for it.
    ///
    /// - Parameter unit: How its numbers and lists are written.
    static func text(of value: Any?, in unit: SpecWords.Unit? = nil) -> String? {
        guard let value else { return nil }
        switch value {
        case let text as String: return text.isEmpty ? nil : "`\(text)`"
        case let flag as Bool: return flag ? "true" : nil
        case let factor as Double where factor == factor.rounded(): return "\(Int(factor))"
        case let number as Int: return text(of: number, in: unit)
        case let literal as Literal: return text(of: literal)
        case let path as [PathStep]: return path.isEmpty ? nil : "`\(path.shown)`"
        case let path as [String] where unit == .path:
            return path.isEmpty ? nil : "`\(path.joined(separator: "."))`"
        case let range as ClosedRange<Int>:
            return range.count == 1
                ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
        case let verb as HTTPVerb: return "`\(verb.name)`"
        case let rate as RequestRate: return text(of: rate)
        case let retry as RetryPolicy where retry.attempts == 1: return "none"
        case let example as ExampleValue: return example.json
        case let conditions as [ReplyCondition]:
            return conditions.isEmpty ? nil : map(conditions.map(text))
        default: return members(of: value)
        }
    }

    private static func members(of value: Any) -> String? {
        let mirror = Mirror(reflecting: value)
        let type = SpecWords.name(of: mirror.subjectType)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { text(of: $0.value) }
        case .enum:
            let content = mirror.children.first
            let label = "\(type).\(content?.label ?? "\(value)")"
            if SpecWords.absent.contains(label) { return nil }
            if let word = (value as? any WordedForm)?.word { return word }
            if let word = value as? any RawRepresentable<String> { return word.rawValue }
            let isPlain = value is RuleArgument
            let word = isPlain ? "" : SpecWords.values[label] ?? kebab(label)
            let texts = [word, content.flatMap { text(of: $0.value) } ?? ""]
            return texts.filter { !$0.isEmpty }.joined(separator: " ")
        case .collection, .set:
            let texts = mirror.children.compactMap { text(of: $0.value) }
            return texts.isEmpty ? nil : list(mirror.displayStyle == .set ? texts.sorted() : texts)
        case .struct, .tuple:
            if let word = value as? any RawRepresentable<String> { return word.rawValue }
            let texts = mirror.children.compactMap { member -> String? in
                let label = member.label ?? "."
                let word = SpecWords.words[type]?[label] ?? ""
                if word == SpecWords.untold { return nil }
                let text = text(of: member.value, in: SpecWords.units["\(type).\(label)"])
                return text.map { word.isEmpty ? $0 : "\(word): \($0)" }
            }
            let isWord = texts.count < 2 && texts.first?.contains(": ") != true
            return isWord ? texts.first : map(texts)
        default: return "\(value)"
        }
    }

    /// `lastItem` of `PageRules.Form.lastItem` as `last-item`.
    private static func kebab(_ label: String) -> String {
        label.split(separator: ".").last.map(String.init)?.reduce(into: "") { text, letter in
            text += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        } ?? label
    }

    private static func list(_ items: [String]) -> String { "[\(joined(items))]" }

    private static func map(_ entries: [String]) -> String { "{ \(joined(entries)) }" }

    private static func joined(_ items: [String]) -> String {
        items.joined(separator: ", ").replacing("`", with: "")
    }

    private static func text(of condition: ReplyCondition) -> String {
        let values = condition.values.compactMap { text(of: $0) }
        let value = values.count == 1 ? values[0] : list(values)
        return "\(condition.path.joined(separator: ".")): \(value)"
    }

    private static func text(of number: Int, in unit: SpecWords.Unit?) -> String {
        switch unit {
        case .duration: Quantity.text(milliseconds: number)
        case .size: Quantity.text(bytes: number)
        case .percent: "\(number)%"
        case .path, nil: "\(number)"
        }
    }

    /// `3/s`, `100/min`, `20/10s`, and `1/s burst 20`.
    private static func text(of rate: RequestRate) -> String {
        let time = Quantity.text(milliseconds: rate.interval)
        let unit =
            time == "1m"
            ? "min" : time.wholeMatch(of: #/1[a-z]+/#) == nil ? time : String(time.dropFirst())
        return "\(rate.requests)/\(unit)" + (rate.burst.map { " burst \($0)" } ?? "")
    }

    private static func text(of literal: Literal) -> String {
        switch literal {
        case .string(let text): "`\(text)`"
        case .integer(let digits), .number(let digits): digits
        case .bool(let flag): "\(flag)"
        case .enumerationCase(let name): name
        case .null: "null"
        case .list(let items): list(items.map(text))
        case .map(let entries):
            map(entries.map { "\(text(of: $0.key)): \(text(of: $0.value))" })
        }
    }
}
