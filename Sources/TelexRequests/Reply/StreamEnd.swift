/// The output of a stream's operation.
public protocol StreamOutput: Sendable {
    /// The elements of the stream.
    associatedtype Element: Sendable
    /// Elements that are being delivered to the reader.
    var elements: [Element] { get }
}

/// The end of a stream: the value of its operation after the last element.
public struct StreamEnd<Element: Sendable>: StreamOutput {
    /// How many elements the stream had.
    public let count: Int
    /// Elements that are being delivered to the reader; empty at the end of the stream.
    public let elements: [Element]

    /// Creates the end of a stream with this many elements.
    public init(count: Int) {
        self.count = count
        elements = []
    }

    /// Creates a delivery of elements.
    package init(stored: [Element]) {
        count = stored.count
        elements = stored
    }
}
