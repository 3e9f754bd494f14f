import Foundation
public import TelexRuntime

extension JSONValue {
    /// Creates a value from objects of Foundation, for instance the payload of a push message:
    ///
    /// ```swift
    /// let payload = JSONValue(any: notification.request.content.userInfo)
    /// let notice = try payload?["notice"].map { try Notice(json: $0) }
    /// ```
    ///
    /// - Parameter any: Texts, numbers, Booleans and nulls, and arrays and dictionaries of these with
    ///   texts as keys.
    /// - Returns: `nil` if `any` contains anything else, such as a date, data or infinity.
    public init?(any: Any) {
        // In an array, because not every system accepts a bare scalar.
        let list = [any]
        guard JSONSerialization.isValidJSONObject(list),
            let data = try? JSONSerialization.data(withJSONObject: list),
            let value = try? [JSONValue](json: data).first
        else { return nil }
        self = value
    }
}
