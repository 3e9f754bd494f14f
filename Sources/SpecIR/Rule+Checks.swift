// What readers and writers of values check, in generated code and at run time.

extension Rule {
    /// Whether it is checked in a direction.
    package func isChecked(sent: Bool) -> Bool { direction.includes(sent: sent) }
}

extension CrossRule {
    /// Whether it is checked in a direction.
    package func isChecked(sent: Bool) -> Bool { direction.includes(sent: sent) }
}

extension Rule.Direction {
    fileprivate func includes(sent: Bool) -> Bool {
        self == .both || self == (sent ? .send : .receive)
    }
}

extension Value {
    /// Whether sent enumeration values must be known.
    package var knownCheck: Bool {
        switch type {
        case .enumeration: true
        case .list(let element):
            if case .enumeration = element.type {
                !element.isNullable && element.from == .native
            } else {
                false
            }
        case .map(.enumeration, _): true
        default: false
        }
    }
}

extension Field {
    /// Whether a missing key has a default.
    package var hasDefault: Bool { defaultValue != nil && !value.isNullable }

    /// The default of a missing key, unless it is nil.
    package var missingValue: Literal? { defaultValue == .null ? nil : defaultValue }

    /// Whether the property is an optional.
    package var isSwiftOptional: Bool { !hasDefault && (isOptional || value.isNullable) }

    /// Whether null and a missing key are distinguished.
    package var keepsNull: Bool { value.isNullable && isOptional && !hasDefault }
}
