/// A rule of a template, in the terms of the rules that specs have.
public enum TemplateRule: Sendable, Equatable {
    /// Equal to the value of the template: `mustMatch`.
    case constant(TemplateNode)
    /// A bound of a length, a number of elements or a number, which is kept as written.
    case bound(RuleBound, String)
    /// `hasSuffix`, as the original code reads it.
    case prefix(String)
    /// `hasSuffix`
    case suffix(String)
    /// One of the texts: `matchWithOneOf`.
    case oneOf([String], ignoringCase: Bool)
}

/// Which meaning the rules of templates have.
public enum TemplateCompatibility: String, Sendable, CaseIterable {
    /// The one that their names say.
    case documented
    /// The one that the code had in which they were first implemented: bounds of a length are
    /// exclusive, `hasSuffix` tests the beginning, `matchWithOneOf` ignores case, Booleans and
    /// numbers are of one kind, and elements of lists are not looked at.
    case original
}

/// The names of the rules.
enum TemplateRuleName: String, CaseIterable {
    case isOptional
    case mustMatch
    case equalInLength
    case lengthMustBeEqualOrGreaterThan
    case lengthMustBeEqualOrLessThan
    case hasSuffix
    case matchWithOneOf
    case elementsMustBeEqualOrMoreThan
    case elementsMustBeEqualOrLessThan
    case minimum
    case maximum

    /// The bound that it sets; nil for other rules.
    var bound: RuleBound? {
        switch self {
        case .equalInLength: .exact(.scalars)
        case .lengthMustBeEqualOrGreaterThan: .low(.scalars)
        case .lengthMustBeEqualOrLessThan: .high(.scalars)
        case .elementsMustBeEqualOrMoreThan: .low(.elements)
        case .elementsMustBeEqualOrLessThan: .high(.elements)
        case .minimum: .low(.value)
        case .maximum: .high(.value)
        case .isOptional, .mustMatch, .hasSuffix, .matchWithOneOf: nil
        }
    }

    /// The kinds of values that may have the rule; nil for all.
    var kinds: TemplateKinds? {
        switch self {
        case .hasSuffix, .matchWithOneOf: .string
        default: bound?.measure.kinds
        }
    }

    /// What its argument has to be.
    var argument: String {
        switch self {
        case .isOptional, .mustMatch, .equalInLength: "`true` or `false`"
        case .hasSuffix: "a text that is not empty"
        case .matchWithOneOf: "a list of texts"
        case .minimum, .maximum: "a number that a `Double` holds"
        default: "a count, 0 or more"
        }
    }
}
