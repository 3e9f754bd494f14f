import SpecIR

/// A field or a parameter, as the rules between it and its neighbours refer to it.
struct RuleOperand {
    /// The name that the spec gives it.
    let name: String
    /// The name in Swift.
    let swiftName: String
    let type: ValueType
    /// Whether the value in Swift may be `nil`.
    let mayBeAbsent: Bool
    /// Whether the spec sets the value.
    let isConstant: Bool

    init(_ name: String, _ field: Field) {
        self.name = name
        swiftName = field.name
        type = field.value.type
        mayBeAbsent = field.value.isNullable || field.isOptional && field.defaultValue == nil
        isConstant = false
    }

    init(_ parameter: ResolvedParameter) {
        name = parameter.specName
        swiftName = parameter.name
        type = parameter.value.type
        switch parameter.presence {
        case .optional, .credential: (mayBeAbsent, isConstant) = (true, false)
        case .required, .defaulted: (mayBeAbsent, isConstant) = (parameter.value.isNullable, false)
        case .constant, .callID: (mayBeAbsent, isConstant) = (false, true)
        }
    }
}
