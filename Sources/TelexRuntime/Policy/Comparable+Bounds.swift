extension Comparable {
    /// The value, or a bound that it must not be below. What cannot be compared, as a `Double` that is
    /// no number, counts as below.
    func atLeast(_ bound: Self) -> Self { self >= bound ? self : bound }
}
