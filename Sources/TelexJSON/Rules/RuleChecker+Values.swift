extension RuleChecker where Self: ~Copyable {
    // MARK: Choices

    /// `in`: one of these. Here and in the rules below, texts are equal if their code units are.
    @inlinable
    public mutating func oneOf<T: Equatable>(
        _ value: T?, _ choices: [T], message: String? = nil, severity: Severity = .error
    ) {
        guard let value, !choices.contains(where: { isExactly($0, value) }) else { return }
        notAmong(choices, value: value, message: message, severity: severity)
    }

    @usableFromInline
    @inline(never)
    mutating func notAmong<T>(
        _ choices: [T], value: T, message: String?, severity: Severity
    ) {
        guard checksRules else { return }
        broken(
            "in", expected: "one of \(Self.listed(choices))", found: Self.described(value),
            message: message, severity: severity)
    }

    /// `not-in`: none of these.
    public mutating func noneOf<T: Equatable>(
        _ value: T?, _ choices: [T], message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, choices.contains(where: { isExactly($0, value) }) else {
            return
        }
        broken(
            "not-in", expected: "none of \(Self.listed(choices))", found: Self.described(value),
            message: message, severity: severity)
    }

    /// `in`: one of these texts, without regard to case (Unicode, default case conversion).
    public mutating func oneOf(
        _ value: String?, ignoringCase choices: [String], message: String? = nil,
        severity: Severity = .error
    ) {
        guard checksRules, let value, !Self.isAmong(choices, value) else { return }
        notAmong(choices, value: value, message: message, severity: severity)
    }

    /// `not-in`: none of these texts, without regard to case.
    public mutating func noneOf(
        _ value: String?, ignoringCase choices: [String], message: String? = nil,
        severity: Severity = .error
    ) {
        guard checksRules, let value, Self.isAmong(choices, value) else { return }
        broken(
            "not-in", expected: "none of \(Self.listed(choices))", found: Self.described(value),
            message: message, severity: severity)
    }

    private static func isAmong(_ choices: [String], _ value: String) -> Bool {
        let value = value.lowercased()
        return choices.contains { $0.lowercased().isExactly(value) }
    }

    /// `const`: exactly this value.
    public mutating func constant<T: Equatable>(
        _ value: T?, _ expected: T, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !isExactly(value, expected) else { return }
        broken(
            "const", expected: Self.described(expected), found: Self.described(value),
            message: message,
            severity: severity)
    }

    /// `enum`: a case of the spec.
    public mutating func known<E: OpenEnum>(
        _ value: E?, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value, !value.isKnown else { return }
        unknown(value, message: message, severity: severity)
    }

    /// `enum`: all elements are cases of the spec; each unknown one is reported.
    public mutating func known<E: OpenEnum>(
        _ values: [E]?, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let values else { return }
        for value in values where !value.isKnown {
            unknown(value, message: message, severity: severity)
        }
    }

    /// `enum`: all keys of a map are cases of the spec; each unknown one is reported.
    public mutating func known<E: OpenEnum, Element>(
        _ map: [E: Element]?, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let map else { return }
        for key in map.keys where !key.isKnown {
            unknown(key, message: message, severity: severity)
        }
    }

    private mutating func unknown<E: OpenEnum>(
        _ value: E, message: String?, severity: Severity
    ) {
        broken(
            "enum", expected: "one of \(Self.listed(E.allKnown))", found: Self.described(value),
            message: message, severity: severity)
    }

    // MARK: Lists

    /// `min-items`: at least this many elements.
    @inlinable
    public mutating func minItems<T>(
        _ values: [T]?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let values, values.count < count else { return }
        counted(
            rule: "min-items", "at least", count, "elements", found: values.count, message: message,
            severity: severity)
    }

    /// `max-items`: at most this many elements.
    @inlinable
    public mutating func maxItems<T>(
        _ values: [T]?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let values, values.count > count else { return }
        counted(
            rule: "max-items", "at most", count, "elements", found: values.count, message: message,
            severity: severity)
    }

    /// `unique`: no two elements are equal.
    public mutating func unique<T: Hashable>(
        _ values: [T]?, message: String? = nil, severity: Severity = .error
    ) {
        distinct(
            values, rule: "unique", expected: "no element twice", message: message,
            severity: severity
        ) { $0 }
    }

    /// `unique-by`: no two elements are equal in a field. Elements without the field pass. A
    /// default is a value like any other.
    ///
    /// - Parameters:
    ///   - field: the name of the field, for the message.
    ///   - key: returns the field of an element; nil if it is missing.
    public mutating func uniqueBy<T, Key: Hashable>(
        _ values: [T]?, _ field: String, message: String? = nil, severity: Severity = .error,
        _ key: (T) -> Key?
    ) {
        distinct(
            values, rule: "unique-by", expected: "no `\(field)` twice", message: message,
            severity: severity, key)
    }

    /// The same for a field that may be null. Elements with a null pass, too.
    public mutating func uniqueBy<T, Key: Hashable>(
        _ values: [T]?, _ field: String, message: String? = nil, severity: Severity = .error,
        _ key: (T) -> Nullable<Key>?
    ) {
        uniqueBy(values, field, message: message, severity: severity) { key($0)?.optional }
    }

    private mutating func distinct<T, Key: Hashable>(
        _ values: [T]?, rule: String, expected: String, message: String?,
        severity: Severity, _ key: (T) -> Key?
    ) {
        guard checksRules, let values else { return }
        if Key.self == String.self || Key.self == String?.self {
            // Of the two optionals, the inner nil is a null in a list of texts, which is an
            // element.
            let exact = { (value: T) in
                key(value).map { ($0 as? String).map(ExactText.init) }
            }
            checkDistinct(
                values, rule: rule, expected: expected, message: message, severity: severity, exact)
        } else {
            checkDistinct(
                values, rule: rule, expected: expected, message: message, severity: severity, key)
        }
    }

    private mutating func checkDistinct<T, Key: Hashable>(
        _ values: [T], rule: String, expected: String, message: String?,
        severity: Severity, _ key: (T) -> Key?
    ) {
        var places: [Key: Int] = [:]
        for (place, value) in values.enumerated() {
            guard let key = key(value) else { continue }
            guard let first = places.updateValue(place, forKey: key) else { continue }
            broken(
                rule, expected: expected, found: "\(Self.described(key)) at \(first) and \(place)",
                message: message, severity: severity)
            return
        }
    }

    // MARK: Maps

    /// `min-keys`: at least this many keys.
    @inlinable
    public mutating func minKeys<K, V>(
        _ values: [K: V]?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let values, values.count < count else { return }
        counted(
            rule: "min-keys", "at least", count, "keys", found: values.count, message: message,
            severity: severity)
    }

    /// `max-keys`: at most this many keys.
    @inlinable
    public mutating func maxKeys<K, V>(
        _ values: [K: V]?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let values, values.count > count else { return }
        counted(
            rule: "max-keys", "at most", count, "keys", found: values.count, message: message,
            severity: severity)
    }

    @usableFromInline
    @inline(never)
    mutating func counted(
        rule: String, _ comparison: String, _ count: Int, _ noun: String, found: Int,
        message: String?, severity: Severity
    ) {
        broken(
            rule, expected: "\(comparison) \(count) \(noun)", found: found.description,
            message: message, severity: severity)
    }

    // MARK: Words

    /// The text of a value in a violation: text in quotes, cases by their raw value.
    private static func described<T>(_ value: T) -> String {
        shown((value as? ExactText)?.text ?? value) ?? Violation.bounded(String(describing: value))
    }

    package static func listed<T>(_ choices: [T]) -> String {
        let described = choices.prefix(20).map { Self.described($0) }.joined(separator: ", ")
        return choices.count > 20 ? described + ", … (\(choices.count) in all)" : described
    }
}
