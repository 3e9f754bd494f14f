/// Overloads of the most common rules without the rarely used arguments, for generated code. A
/// default argument would be evaluated at every call site, which is costly in debug builds.
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

    /// `min`: at least the bound.
    @inlinable
    public mutating func minimum(_ value: Double?, _ bound: Double) {
        minimum(value, bound, message: nil)
    }

    /// `max`: at most the bound.
    @inlinable
    public mutating func maximum(_ value: Double?, _ bound: Double) {
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

    /// `max-items`: at most this many elements.
    @inlinable
    public mutating func maxItems<T>(_ values: [T], _ count: Int) {
        maxItems(values, count, message: nil)
    }

    /// `min` and `max`: between the bounds, which are included.
    @inlinable
    public mutating func between(_ value: Int?, _ low: Int, _ high: Int) {
        minimum(value, low, message: nil)
        maximum(value, high, message: nil)
    }

    /// `min` and `max`: between the bounds, which are included.
    @inlinable
    public mutating func between(_ value: Double?, _ low: Double, _ high: Double) {
        minimum(value, low, message: nil)
        maximum(value, high, message: nil)
    }

    /// `enum`: a case of the spec.
    @inlinable
    public mutating func known<E: OpenEnum>(_ value: E?) {
        known(value, message: nil)
    }

    /// `enum`: all elements are cases of the spec; each unknown one is reported.
    @inlinable
    public mutating func known<E: OpenEnum>(_ values: [E]?) {
        known(values, message: nil)
    }

    /// `enum`: all keys of a map are cases of the spec; each unknown one is reported.
    @inlinable
    public mutating func known<E: OpenEnum, Element>(_ map: [E: Element]?) {
        known(map, message: nil)
    }
}
