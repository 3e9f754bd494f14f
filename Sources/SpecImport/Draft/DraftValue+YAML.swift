import SpecSyntax

extension DraftValue {
    /// What becomes of the keys of mappings. In a spec, digits as a key are a number, and in quotes
    /// text; JSON has texts alone.
    package enum Keys {
        /// All are texts, as in JSON.
        case texts
        /// Text that looks like a number gets quotes of its own, as `"\"1\""`.
        case marked
        /// The reverse of `marked`.
        case restored
    }

    /// The value of a node, with numbers as written.
    package init(_ node: YAMLNode, keys: Keys = .texts) {
        switch node.kind {
        case .scalar where node.isNull: self = .word("null")
        case .scalar:
            let isWord = node.boolean != nil || node.numberText != nil
            self = isWord ? .word(node.text) : .text(node.text)
        case .sequence: self = .list(node.items.map { DraftValue($0, keys: keys) })
        case .mapping:
            self = .map(node.entries.map { DraftEntry($0, keys: keys) })
        }
    }
}

extension DraftEntry {
    /// The entry of a mapping.
    package init(_ entry: YAMLEntry, keys: DraftValue.Keys) {
        var (key, isQuoted) = (entry.key.text, false)
        switch keys {
        case .texts: isQuoted = true
        case .marked:
            if !entry.key.isPlain, key.isNumber { key = "\"\(key)\"" }
        case .restored:
            let inner = key.dropFirst().dropLast()
            if key.first == "\"", key.last == "\"", String(inner).isNumber {
                key = String(inner)
                isQuoted = true
            }
        }
        self.init(key, DraftValue(entry.value, keys: keys))
        self.isQuoted = isQuoted
    }
}

extension String {
    fileprivate var isNumber: Bool {
        !isEmpty && utf8.allSatisfy { $0.isDigit || $0 == 0x2D }
    }
}
