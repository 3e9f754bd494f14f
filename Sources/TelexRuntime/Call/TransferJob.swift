/// What the attempts of one operation leave to one another: where a transfer was when it broke off.
enum TransferJob: Sendable {
    /// Each attempt begins anew.
    case none
    /// Bytes on disk.
    case download(DownloadJob)
    /// Elements that have been handed out.
    case stream(StreamJob)

    init(_ expected: ReplyKind) {
        switch expected {
        case .json, .bytes, .nothing: self = .none
        case .file(let destination): self = .download(DownloadJob(destination))
        case .stream(let format): self = .stream(StreamJob(format))
        }
    }

    /// The operation has ended: gives back what is held.
    func close() {
        if case .download(let job) = self { job.close() }
    }
}
