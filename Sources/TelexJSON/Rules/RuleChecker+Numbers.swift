extension RuleChecker where Self: ~Copyable {
    /// `min`: at least the bound.
    @inlinable
    public mutating func minimum<T: Comparable>(
        _ value: T?, _ bound: T, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, !(value >= bound) else { return }
        broken(
            "min", expected: "at least \(bound)", found: "\(value)", message: message,
            severity: severity)
    }

    /// `max`: at most the bound.
    @inlinable
    public mutating func maximum<T: Comparable>(
        _ value: T?, _ bound: T, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, !(value <= bound) else { return }
        broken(
            "max", expected: "at most \(bound)", found: "\(value)", message: message,
            severity: severity)
    }

    /// `above`: greater than the bound.
    @inlinable
    public mutating func above<T: Comparable>(
        _ value: T?, _ bound: T, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, !(value > bound) else { return }
        broken(
            "above", expected: "more than \(bound)", found: "\(value)", message: message,
            severity: severity)
    }

    /// `below`: less than the bound.
    @inlinable
    public mutating func below<T: Comparable>(
        _ value: T?, _ bound: T, message: String? = nil, severity: Severity = .error
    ) {
        guard let value, !(value < bound) else { return }
        broken(
            "below", expected: "less than \(bound)", found: "\(value)", message: message,
            severity: severity)
    }

    /// `multiple-of`: an integer multiple of the divisor in exact decimal arithmetic: 0.3 is a
    /// multiple of 0.1. A binary number is compared by its shortest decimal text.
    ///
    /// - Parameter divisor: the digits of a number. With other text, every value violates the rule.
    public mutating func multiple<T: CustomStringConvertible>(
        _ value: T?, of divisor: String, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value else { return }
        if let number = ExactDecimal(value.description), let unit = ExactDecimal(divisor),
            number.isMultiple(of: unit)
        {
            return
        }
        broken(
            "multiple-of", expected: "a multiple of \(divisor)", found: value.description,
            message: message, severity: severity)
    }

    /// `multiple-of` with a divisor of the value's own type.
    public mutating func multiple<T: CustomStringConvertible>(
        _ value: T?, of divisor: T, message: String? = nil, severity: Severity = .error
    ) {
        multiple(value, of: divisor.description, message: message, severity: severity)
    }

    /// `digits`: at most this many digits after the decimal point.
    public mutating func digits<T: CustomStringConvertible>(
        _ value: T?, _ count: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard checksRules, let value else { return }
        if let number = ExactDecimal(value.description), number.fractionDigits <= count { return }
        broken(
            "digits", expected: "at most \(count) digits after the decimal point",
            found: value.description, message: message, severity: severity)
    }
}
