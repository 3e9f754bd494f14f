/// A text that is equal to another only if the code units are equal, as for keys and texts in JSON
/// (RFC 8259, section 8.3). Swift strings are equal if they are canonically equivalent.
package struct ExactText: Hashable, Sendable {
    /// The text.
    package let text: String

    /// Creates a text that is compared by its code units.
    package init(_ text: String) {
        self.text = text
    }

    /// Whether both have the same code units.
    package static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.isExactly(other.text)
    }

    /// Hashes the code units.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether both have the same code units, not only canonically equivalent characters.
    func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

/// Whether a rule treats two values as equal: texts only if their code units are equal.
@usableFromInline
func isExactly<Value: Equatable>(_ one: Value, _ other: Value) -> Bool {
    // Texts with the same code units are also equal in Swift.
    guard one == other else { return false }
    guard Value.self == String.self else { return true }
    guard let one = one as? String, let other = other as? String else { return true }
    return one.isExactly(other)
}
