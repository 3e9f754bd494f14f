import Synchronization

/// The identity of an operation; unique within the process.
public struct OperationID: Hashable, Sendable, Comparable, CustomStringConvertible {
    @usableFromInline package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    private static let last = Atomic<UInt64>(0)

    /// Returns the next number; later operations have higher ones.
    package static func next() -> OperationID {
        OperationID(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Earlier operations come first.
    public static func < (left: OperationID, right: OperationID) -> Bool {
        left.number < right.number
    }

    /// The number.
    public var description: String { "#\(number)" }
}
