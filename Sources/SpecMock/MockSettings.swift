import SpecIR
import TelexJSON

/// What a mock does besides answering.
public struct MockSettings: Sendable {
    /// What made values depend on: the same seed gives the same replies.
    public var seed: UInt64 = 0
    /// How long a token is good; nil for ever.
    public var tokenLife: Duration?

    /// Creates settings of a mock that only answers.
    public init() {}

    func check(_ spec: MockSpec) -> ValueMaker.Check { { _, _ in true } }
}
