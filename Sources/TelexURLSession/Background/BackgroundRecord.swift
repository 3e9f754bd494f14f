import Foundation
import HTTPTypes
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of a background session's task that has not ended.
struct BackgroundRecord: Sendable {
    /// The exchange that awaits the task.
    var exchange: BackgroundExchange?
    /// Cancels the task.
    var cancel: (@Sendable () -> Void)?
    var name: TransferName?
    /// The file with the body of the reply.
    var file: URL?
    /// The error because of which there is no reply.
    var problem: TransportError?
    /// The received or expected size, if it exceeds the limit.
    var excess: Int?

    static func remove(_ file: URL?) {
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    /// Returns the reply of the ended task.
    func reply(
        of task: URLSessionTask, response: URLResponse?, error: (any Error)?
    ) throws(TransportError) -> StoredReply {
        if let problem { throw problem }
        let head = try response.map { response throws(TransportError) in
            try SessionExchangeState.Head(response, hasBody: true)
        }
        let size = file.flatMap(ReplyStore.size) ?? 0
        if let error, excess == nil {
            throw Self.error(
                error, of: task, hasHead: head != nil,
                received: max(size, Int(clamping: task.countOfBytesReceived)),
                of: head?.length ?? Int(clamping: task.countOfBytesExpectedToReceive))
        }
        guard let head else {
            throw excess == nil ? .noHead : .tooLarge(limit: exchange?.limit ?? 0)
        }
        try Self.check(response?.url, against: task.originalRequest?.url)
        let length = excess == nil ? head.length : nil
        if let length, size < length { throw .truncated(received: size, expected: length) }
        return StoredReply(
            head: head.response, length: length, file: file, size: excess ?? size,
            remove: { [file] in Self.remove(file) })
    }

    private static func error(
        _ error: any Error, of task: URLSessionTask, hasHead: Bool, received: Int, of expected: Int
    ) -> TransportError {
        let failure = TransportError(
            error, hasSent: task.countOfBytesSent > 0,
            received: hasHead || received > 0 ? received : nil,
            of: expected > 0 ? expected : nil)
        return failure.kind == .cancelled ? .endedBySystem : failure
    }

    /// Rejects a reply that came over `http` to an `https` request. The system follows redirects
    /// itself, and an attacker could have written such a reply.
    static func check(_ source: URL?, against asked: URL?) throws(TransportError) {
        guard asked?.scheme?.lowercased() == "https", let scheme = source?.scheme?.lowercased(),
            scheme != "https"
        else { return }
        throw TransportError(.tls, "a redirect led from https to \(scheme)")
    }
}

extension TransportError {
    /// The system has cancelled a transfer. If a call is cancelled, its exchange ends before its
    /// task is cancelled, so any other cancellation comes from the system.
    static let endedBySystem = TransportError(
        .connectionLost,
        """
        the system ended the transfer: the user quit the app, does not let it work in the \
        background, or the device is short of resources
        """)
}
