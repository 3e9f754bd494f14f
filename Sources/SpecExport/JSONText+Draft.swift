import SpecDiagnostics
import SpecImport
import SpecSyntax

extension JSONText {
    /// A value of a description.
    init(_ value: DraftValue) {
        switch value {
        case .word(let word): self = .plain(Self.literal(word))
        case .text(let text), .type(let text): self = .string(text)
        case .list(let items): self = .array(items.map { JSONText($0) })
        case .map(let entries), .block(let entries): self.init(entries)
        }
    }

    /// An object of a description.
    init(_ entries: [DraftEntry]) {
        self = .object(entries.map { ($0.key, JSONText($0.value)) })
    }

    /// A number, a Boolean or null, which YAML writes in more ways.
    private static func literal(_ word: String) -> String {
        switch word.lowercased() {
        case "true", "false": word.lowercased()
        case "null", "~", "": "null"
        default: CoreSchema.numberText(word) ?? "null"
        }
    }
}
