/// The identity of an operation; unique within the process.
public struct OperationID: Hashable, Sendable, Comparable, CustomStringConvertible {
    @usableFromInline package let number: UInt64

    package init(number: UInt64) {
        self.number = number
    }

    private static let last = AtomicCount()

    /// Returns the next number; later operations have higher ones.
    package static func next() -> OperationID {
        OperationID(number: last.increment())
    }

    /// Earlier operations come first.
    public static func < (left: OperationID, right: OperationID) -> Bool {
        left.number < right.number
    }

    /// The number.
    public var description: String { "#\(number)" }
}
