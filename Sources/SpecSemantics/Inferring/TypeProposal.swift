import SpecSyntax
import SpecTemplateRules

/// What the samples of a value suggest and do not prove: a format, a choice of few texts, a count.
struct TypeProposal {
    /// The fewest samples of which repeated texts are called a choice.
    private static let fewestSamples = 5
    private static let mostChoices = 8

    /// The attributes of a type, as YAML; nil if nothing is suggested.
    let text: String?

    init(_ shape: TemplateShape) {
        guard shape.rules.isEmpty else {
            text = nil
            return
        }
        switch shape.kinds {
        case .string: text = Self.ofTexts(shape.samples.compactMap(\.string))
        case .integer: text = Self.ofCounts(shape)
        default: text = nil
        }
    }

    private static func ofTexts(_ texts: [String]) -> String? {
        let formats: [(name: String, isValid: (String) -> Bool)] = [
            ("date-time", { $0.utf8.count > 10 && DateSyntaxCheck.problem(of: $0) == nil }),
            ("date", { $0.utf8.count == 10 && DateSyntaxCheck.problem(of: $0) == nil }),
            ("uuid", \.isUUID),
            ("uri", { $0.contains("://") && URLSyntaxCheck.problem(of: $0) == nil }),
            (
                "email",
                { $0.wholeMatch(of: #/[0-9A-Za-z._+-]+@[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)+/#) != nil }
            ),
        ]
        if let format = formats.first(where: { texts.allSatisfy($0.isValid) && !texts.isEmpty }) {
            return "format: \(format.name)"
        }
        let different = Set(texts)
        guard texts.count >= fewestSamples, different.count <= mostChoices,
            different.count * 2 <= texts.count
        else { return nil }
        return "enum: [\(different.sorted().map(YAMLText.quoted).joined(separator: ", "))]"
    }

    /// Numbers of things, of which none is negative.
    private static func ofCounts(_ shape: TemplateShape) -> String? {
        let numbers = shape.samples.compactMap(\.integer)
        let isCount = numbers.count >= fewestSamples && numbers.allSatisfy { $0 >= 0 }
        return isCount ? "min: 0" : nil
    }
}

extension TemplateNode {
    fileprivate var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    fileprivate var integer: Int? {
        if case .number(let text) = value { Int(text) } else { nil }
    }
}
