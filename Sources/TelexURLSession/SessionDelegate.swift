import Foundation
import TelexJSON

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes the events of a session on to the exchange of the task.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The exchanges in progress by task identifier.
    let exchanges: Lock<[Int: SessionExchange]> = Lock([:])
    private let trust: TrustRule?

    init(_ trust: TrustRule?) {
        self.trust = trust
    }

    private func exchange(_ task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        exchange(dataTask)?.receive(response)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        exchange(task)?.sent(Int(clamping: totalBytesSent))
    }

    /// Refuses redirects, which belong to the engine: the reply is returned as it is. On Linux, a
    /// cancelled task gets no answer, because corelibs-foundation traps on it; the task ends anyway.
    /// Apple's Foundation requires an answer, and keeps what waits for one.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            guard exchange(task) != nil else { return }
        #endif
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenge.answer(to: task, trust: trust, completionHandler) { response, error in
            exchange(task)?.complete(response, error)
        }
    }

    /// Fails the exchange. A new body is requested only to send the request a second time on a new
    /// connection, after the old one ended without a reply. Only the engine can decide whether that
    /// is allowed. The failure is queued, because corelibs-foundation calls this method on a queue
    /// on which tasks cannot be cancelled.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        let exchange = exchange(task)
        session.delegateQueue.addOperation { exchange?.fail(.noHead) }
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        exchange(task)?.complete(task.response, error)
    }
}
