extension Comparable {
    /// The value, or `bound` if the value is below it. Values that cannot be compared, such as
    /// `Double.nan`, count as below.
    package func atLeast(_ bound: Self) -> Self { self >= bound ? self : bound }
}
