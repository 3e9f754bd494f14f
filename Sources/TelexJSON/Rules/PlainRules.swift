/// The commonest rules, without the arguments that are rarely given: a default argument is evaluated
/// wherever it is left out, and debug builds of generated code are made of such calls.
extension RuleChecker where Self: ~Copyable {
    /// `min`: at least the bound.
    @inlinable
    public mutating func minimum(_ value: Int?, _ bound: Int) {
        minimum(value, bound, message: nil)
    }

    /// `max`: at most the bound.
    @inlinable
    public mutating func maximum(_ value: Int?, _ bound: Int) {
        maximum(value, bound, message: nil)
    }

    /// `min-length`: at least this many Unicode scalars.
    @inlinable
    public mutating func minLength(_ value: String?, _ count: Int) {
        minLength(value, count, message: nil)
    }

    /// `max-length`: at most this many Unicode scalars.
    @inlinable
    public mutating func maxLength(_ value: String?, _ count: Int) {
        maxLength(value, count, message: nil)
    }

    /// `min-items`: at least this many elements.
    @inlinable
    public mutating func minItems<T>(_ values: [T]?, _ count: Int) {
        minItems(values, count, message: nil)
    }

    /// `max-items`: at most this many elements.
    @inlinable
    public mutating func maxItems<T>(_ values: [T]?, _ count: Int) {
        maxItems(values, count, message: nil)
    }
}
