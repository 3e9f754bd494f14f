import TelexDownloads
import TelexRequests

/// A call that sends a large body; its reply is read into memory, checked and mapped to a value.
public typealias UploadOperation<Output: Sendable> = NetworkOperation<Output>

/// A call whose reply is written to a file.
public typealias DownloadOperation = NetworkOperation<DownloadedFile>

/// A call whose reply is a sequence of elements, each of which is checked and mapped as it arrives.
public typealias StreamOperation<Element: Sendable> = NetworkOperation<StreamEnd<Element>>
