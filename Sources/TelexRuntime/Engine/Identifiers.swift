import Synchronization

/// The identity of an engine: unlike its address, nobody else ever has it.
struct EngineID: Hashable, Sendable {
    private static let last = Atomic<UInt64>(0)
    private let number = last.wrappingAdd(1, ordering: .relaxed).newValue
}

/// The identity of an operation; never used twice in a process.
public struct OperationID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    private static let last = Atomic<UInt64>(0)

    /// The next number. Later operations have higher ones.
    static func next() -> OperationID {
        OperationID(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Earlier operations come first.
    public static func < (left: OperationID, right: OperationID) -> Bool {
        left.number < right.number
    }

    /// The number.
    public var description: String { "#\(number)" }
}
