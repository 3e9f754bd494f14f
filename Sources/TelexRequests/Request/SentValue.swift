/// What is sent of an argument in place of some values.
public enum SentValue {
    /// Returns the value; nil, which is not sent, for nil and for an empty one.
    public static func unlessEmpty<T: Collection>(_ value: T?) -> T? {
        value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the value, or the bound that it is beyond. NaN stays as it is.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - low: The lower bound; nil for none.
    ///   - high: The upper bound, not below the lower one; nil for none.
    public static func clamped<T: Comparable>(
        _ value: T, min low: T? = nil, max high: T? = nil
    ) -> T {
        if let low, value < low { return low }
        if let high, value > high { return high }
        return value
    }

    /// Returns the value, or the bound that it is beyond; nil for nil.
    ///
    /// - Parameters:
    ///   - value: The value. NaN stays as it is.
    ///   - low: The lower bound; nil for none.
    ///   - high: The upper bound, not below the lower one; nil for none.
    public static func clamped<T: Comparable>(
        _ value: T?, min low: T? = nil, max high: T? = nil
    ) -> T? {
        value.map { clamped($0, min: low, max: high) }
    }
}
