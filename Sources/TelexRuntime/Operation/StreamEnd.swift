import TelexDownloads
import TelexJSON

/// A call that sends a large body; its reply is read into memory, checked and mapped to a value.
public typealias UploadOperation<Output: Sendable> = NetworkOperation<Output>

/// A call whose reply is written to a file.
public typealias DownloadOperation = NetworkOperation<DownloadedFile>

/// A call whose reply is a sequence of elements, each of which is checked and mapped as it arrives.
public typealias StreamOperation<Element: Sendable> = NetworkOperation<StreamEnd<Element>>

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
    init(stored: [Element]) {
        count = stored.count
        elements = stored
    }
}
