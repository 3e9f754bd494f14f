/// Overloads of the most common rules without the rarely used arguments, for generated code. A
/// default argument would be evaluated at every call site, which is costly in debug builds.
extension RuleChecker where Self: ~Copyable {
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
