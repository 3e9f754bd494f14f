/// The interpretation of a plain scalar by the core schema of YAML 1.2.2 (chapter 10.3). A quoted
/// scalar, an alias of one, and a collection have none.
extension YAMLNode {
    /// Whether the value is absent, `~` or `null`.
    public var isNull: Bool { isPlain && CoreSchema.isNull(text) }

    /// `true` or `false`, also `True`, `TRUE`, `False`, `FALSE`; nil otherwise, also for `yes` and
    /// `on`.
    public var boolean: Bool? { isPlain ? CoreSchema.boolean(text) : nil }

    /// A whole number: decimal with a sign or none (leading zeros are ignored), `0o17` or `0x1F`;
    /// nil otherwise, or if it does not fit 64 bits.
    public var integer: Int? { isPlain ? CoreSchema.integer(text) : nil }

    /// A number, whole or not, `.inf` and `.nan` included; nil otherwise. Rounded to the nearest
    /// `Double`; see ``numberText`` for the exact value.
    public var double: Double? { isPlain ? CoreSchema.double(text) : nil }

    /// The exact value of a finite number as RFC 8259 writes numbers: `1.10` stays `1.10`, `+.5`
    /// becomes `0.5`, `0x1F` becomes `31`; nil otherwise.
    public var numberText: String? { isPlain ? CoreSchema.numberText(text) : nil }
}
