/// Limits of a spec file, far beyond those of real specs.
enum YAMLLimits {
    /// The largest file, in bytes.
    static let size = 16 * 1024 * 1024
    /// The deepest nesting of lists and mappings, aliases included. Reading stops there, because
    /// libyaml's work grows with the square of the depth.
    static let depth = 200
    /// The highest number of values that all aliases of a file expand to.
    static let aliasedValues = 100_000
}
