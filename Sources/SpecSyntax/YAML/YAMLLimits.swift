/// What a spec file may cost. No sensible spec comes near any of these.
enum YAMLLimits {
    /// The largest file, in bytes.
    static let size = 16 * 1024 * 1024
    /// The deepest nesting of lists and mappings, aliases included. libyaml's effort grows with the
    /// square of the depth of brackets, so reading stops there at once.
    static let depth = 200
    /// How many values all aliases of a file may stand for together.
    static let aliasedValues = 100_000
}
