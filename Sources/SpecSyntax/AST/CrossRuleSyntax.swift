import SpecDiagnostics

/// A rule between fields or between parameters as written: one item of `rules`.
public struct CrossRuleSyntax: Sendable {
    /// What it requires.
    public enum Kind: String, CaseIterable, Sendable {
        case atLeastOne = "at-least-one"
        case atMostOne = "at-most-one"
        case exactlyOne = "exactly-one"
        case requiredIf = "required-if"
        case forbiddenIf = "forbidden-if"
        case equalTo = "equal-to"
        case lessThan = "less-than"
        case expression = "expr"
    }

    /// What it requires, with the span of its key.
    public var kind: Located<Kind>
    /// The fields that it lists; of `required-if` and `forbidden-if`, the field.
    public var names: [Located<String>] = []
    /// The condition of `expr`, `required-if` and `forbidden-if`, with its text.
    public var condition: (expression: ExpressionSyntax, text: String)?
    /// `id`
    public var id: Located<String>?
    /// `message`, `severity` and `on`
    public var options = RuleOptionsSyntax()
}

/// An expression of a rule.
public struct ExpressionSyntax: Sendable {
    /// An operator between two expressions.
    public enum Operator: String, CaseIterable, Sendable {
        case or, and
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
        case sum = "+"
        case difference = "-"
        case product = "*"
    }

    /// The kind of an expression.
    public indirect enum Form: Sendable {
        /// The name of a field or a parameter.
        case name(String)
        /// The digits of a number.
        case number(String)
        /// A text in quotes.
        case text(String)
        /// `function(expression)`
        case call(Located<String>, ExpressionSyntax)
        /// `not expression`
        case not(ExpressionSyntax)
        /// Two expressions with an operator between them.
        case binary(Operator, ExpressionSyntax, ExpressionSyntax)
    }

    /// The kind.
    public var form: Form
    /// Its span.
    public var span: Span

    /// Creates an expression.
    public init(form: Form, span: Span) {
        self.form = form
        self.span = span
    }
}
