/// What a fake throws for a method that a test has not given an answer.
public struct FakeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The method that was called, as the API names it.
    public let method: String

    /// The error of a call to `method`.
    public init(_ method: String) {
        self.method = method
    }

    /// What to do about it.
    public var description: String {
        "the fake has no answer for `\(method)`: give its stub one, `fake.on… { … }`"
    }
}
