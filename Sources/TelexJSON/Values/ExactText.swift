/// A text that is the same as another only if the code units are, as keys and texts in JSON are (RFC
/// 8259, section 8.3). In Swift, texts are the same whose letters look alike.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.isExactly(other.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether it has the same code units, and not merely letters that look alike.
    func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

/// Whether two values are the same to a rule: texts only if their code units are.
@usableFromInline
func isExactly<Value: Equatable>(_ one: Value, _ other: Value) -> Bool {
    guard let one = one as? String, let other = other as? String else { return one == other }
    return one.isExactly(other)
}
