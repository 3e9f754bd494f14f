import TelexRequests

/// The progress of a transfer, which the attempts of one operation share.
enum TransferJob: Sendable {
    /// Each attempt begins from the start.
    case none
    /// Bytes on disk.
    case download(DownloadJob)
    /// Elements that have been delivered.
    case stream(StreamJob)

    init(_ expected: ReplyKind) {
        switch expected {
        case .json, .bytes, .text, .nothing, .statuses: self = .none
        case .file(let destination): self = .download(DownloadJob(destination))
        case .stream(let format): self = .stream(StreamJob(format))
        }
    }

    /// Releases the resources of an operation that has ended.
    func close() {
        if case .download(let job) = self { job.close() }
    }
}
