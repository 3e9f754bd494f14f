import Foundation
import SpecIR
import SpecInterpreter
import TelexJSON

extension ValueMaker {
    private static let people = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Niklaus"]
    private static let families = ["Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Wirth"]
    private static let words = [
        "amber", "birch", "cloud", "delta", "ember", "fjord", "grove", "harbor", "iris", "juniper",
        "kelp", "lagoon", "maple", "north", "opal", "pine", "quartz", "river", "stone", "tide",
    ]

    mutating func word() -> String { Self.words.randomElement(using: &random) ?? "word" }

    mutating func phrase() -> String {
        let words = (0..<number(in: 2...4)).map { _ in word() }
        return words.joined(separator: " ").prefix(1).uppercased()
            + words.joined(separator: " ").dropFirst()
    }

    /// A text that obeys most rules by the way it is made.
    mutating func text(_ rules: [Rule], as form: JSONForm, named name: String) -> JSONValue {
        if form == .int { return .int(Int64(number(in: 1...9999))) }
        var text = ""
        for rule in rules {
            switch rule.argument {
            case .pattern(let source, let program):
                if text.isEmpty {
                    let range = rules.lengths
                    text =
                        PatternWalk(Pattern(source, program: program)).text(
                            of: range, using: &random) ?? ""
                }
            case .format(let format): text = self.text(of: format)
            default: continue
            }
        }
        if text.isEmpty { text = fitted(named(name), to: rules) }
        return .string(text)
    }

    /// A text with the length and the parts that the rules ask for.
    private mutating func fitted(_ text: String, to rules: [Rule]) -> String {
        let (start, end) = (rules.text(of: .prefix), rules.text(of: .suffix))
        var body = text + rules.text(of: .contains)
        let range = rules.lengths
        let around = start.unicodeScalars.count + end.unicodeScalars.count
        let missing = range.lowerBound - around - body.unicodeScalars.count
        if missing > 0 { body += (0...missing / 4).map { _ in word() }.joined() }
        budget -= max(0, missing) / 10
        let most = max(0, range.upperBound - around)
        if body.unicodeScalars.count > most {
            body = String(String.UnicodeScalarView(body.unicodeScalars.prefix(most)))
        }
        return start + body + end
    }

    /// A text as a value of this name has it.
    private mutating func named(_ name: String) -> String {
        let name = name.lowercased()
        let person = Self.people.randomElement(using: &random) ?? "Ada"
        let family = Self.families.randomElement(using: &random) ?? "Lovelace"
        switch name {
        case _ where name.contains("email"): return self.text(of: "email")
        case _ where name.contains("first") && name.contains("name"): return person
        case _ where name.contains("last") && name.contains("name"): return family
        case _ where name.contains("username") || name.contains("screen"):
            return person.lowercased() + "\(number(in: 10...99))"
        case _ where name.hasSuffix("name"): return "\(person) \(family)"
        case _ where ["url", "link", "photo", "image", "href"].contains { name.contains($0) }:
            return "https://example.com/\(word())"
        case _ where name == "id" || name.hasSuffix("_id"): return "\(number(in: 1000...9999))"
        case "text", "title", "description", "message", "caption", "doc": return phrase()
        default: return word()
        }
    }

    private mutating func text(of format: String) -> String {
        switch format {
        case "base64": return Data(word().utf8).base64EncodedString()
        case "date": return date([], .date).writtenText
        case "date-time": return date([], .dateTime).writtenText
        case "email": return "\(word())\(number(in: 10...99))@example.com"
        case "hostname": return "\(word()).example.com"
        case "ipv4": return "192.0.2.\(number(in: 1...254))"
        case "ipv6": return "2001:db8::\(String(number(in: 1...0xFFFF), radix: 16))"
        case "json-pointer": return "/\(word())/\(number(in: 0...9))"
        case "time": return "12:\(number(in: 10...59)):00Z"
        case "uuid": return uuid()
        default: return "https://example.com/\(word())"
        }
    }
}

extension [Rule] {
    /// The numbers of characters that a text may have, at most a thousand more than it needs.
    fileprivate var lengths: ClosedRange<Int> {
        let exact = count(of: .length)
        let low = exact ?? Swift.max(count(of: .minLength) ?? 0, count(of: .minBytes) ?? 0)
        let high = exact ?? Swift.min(count(of: .maxLength) ?? .max, count(of: .maxBytes) ?? .max)
        let least = Swift.min(low, 10_000)
        return least...Swift.max(least, Swift.min(high, least + 1000))
    }

    /// The text that a rule of this name has; empty for none.
    fileprivate func text(of name: RuleName) -> String {
        lazy.compactMap { rule in
            if rule.name == name, case .text(let text) = rule.argument { text } else { nil }
        }.first ?? ""
    }
}
