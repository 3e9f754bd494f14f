import SpecImport
import SpecSyntax

extension DraftEntry {
    /// An entry whose key is text, also if it is digits.
    init(text key: String, _ value: DraftValue) {
        self.init(key, value)
        isQuoted = true
    }

    static func type(_ name: String) -> DraftEntry { DraftEntry("type", .text(name)) }
    static func format(_ name: String) -> DraftEntry { DraftEntry("format", .text(name)) }
    static func flag(_ key: String) -> DraftEntry { DraftEntry(key, .word("true")) }
}

extension [DraftEntry] {
    /// The entries with quotes around texts that readers of YAML 1.1 do not take in braces.
    var withPortableTexts: [DraftEntry] {
        changed { value in
            guard case .text(let text) = value, text.contains("?"), !text.contains("\n") else {
                return value
            }
            return .word(YAMLText.quoted(text))
        }
    }

    /// The entries without `x-telex`, also inside them.
    var withoutExtensions: [DraftEntry] {
        filter { $0.key != "x-telex" }.changed { value in
            switch value {
            case .map(let entries): .map(entries.filter { $0.key != "x-telex" })
            case .block(let entries): .block(entries.filter { $0.key != "x-telex" })
            default: value
            }
        }
    }

    /// The entries with all values in them changed, the outer ones first.
    private func changed(_ change: (DraftValue) -> DraftValue) -> [DraftEntry] {
        map { entry in
            var entry = entry
            entry.value = Self.changed(entry.value, change)
            return entry
        }
    }

    private static func changed(
        _ value: DraftValue, _ change: (DraftValue) -> DraftValue
    ) -> DraftValue {
        switch change(value) {
        case .list(let items): .list(items.map { changed($0, change) })
        case .map(let entries): .map(entries.changed(change))
        case .block(let entries): .block(entries.changed(change))
        case let leaf: leaf
        }
    }
}
