/// The terms of rules between fields, for generated code.
///
/// A comparison with an absent value is false, and so is the opposite comparison. A rule is checked
/// by the opposite of its condition, so an absent value breaks no rule.
public enum RuleTerm {
    /// Whether both are present and equal. Texts are equal if their code units are.
    public static func isEqual<T: Equatable>(_ one: T?, _ other: T?) -> Bool {
        both(one, other) { isExactly($0, $1) }
    }

    /// Whether both are present and differ.
    public static func isUnequal<T: Equatable>(_ one: T?, _ other: T?) -> Bool {
        both(one, other) { !isExactly($0, $1) }
    }

    /// Whether both are present and the first one is less.
    public static func isLess<T: Comparable>(_ one: T?, _ other: T?) -> Bool {
        both(one, other) { $0 < $1 }
    }

    /// Whether both are present and the first one is not greater.
    public static func isAtMost<T: Comparable>(_ one: T?, _ other: T?) -> Bool {
        both(one, other) { $0 <= $1 }
    }

    private static func both<T>(_ one: T?, _ other: T?, _ holds: (T, T) -> Bool) -> Bool {
        guard let one, let other else { return false }
        return holds(one, other)
    }

    /// The number of a text's Unicode scalars.
    public static func length(_ text: String?) -> Int? { text.map { TextSearch.scalars(of: $0) } }

    /// The number of a list's or a map's elements.
    public static func count<Elements: Collection>(_ elements: Elements?) -> Int? {
        elements?.count
    }
}
