/// The error that a fake throws for a method for which the test has set no answer.
public struct FakeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the called method in the API.
    public let method: String

    /// Makes the error of a call to `method`.
    public init(_ method: String) {
        self.method = method
    }

    /// The missing answer, and how to set it.
    public var description: String {
        "the fake has no answer for `\(method)`: give its stub one, `fake.on… { … }`"
    }
}
