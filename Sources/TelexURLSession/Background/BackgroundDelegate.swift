import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes on the events of a background session. It is not asked about redirects: the system
/// follows them itself.
final class BackgroundDelegate: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
    private let tasks: BackgroundTasks
    private let trust: TrustRule?

    init(_ tasks: BackgroundTasks, _ trust: TrustRule?) {
        self.tasks = tasks
        self.trust = trust
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        tasks.finished(location, downloadTask)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        tasks.received(totalBytesWritten, of: totalBytesExpectedToWrite, by: downloadTask)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        tasks.received(data, dataTask)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        tasks.sent(Int(clamping: totalBytesSent), task)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenge.answer(to: task, trust: trust, completionHandler) { response, error in
            tasks.complete(task, response: response, error: error)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        tasks.complete(task, response: task.response, error: error)
    }

    #if canImport(Darwin)
        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            tasks.events.end()
        }
    #endif
}
