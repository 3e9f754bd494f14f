import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes on what a background session tells. It is not asked about redirects: the system follows
/// them by itself.
final class BackgroundDelegate: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
    private let tasks: BackgroundTasks

    init(_ tasks: BackgroundTasks) {
        self.tasks = tasks
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
        tasks.received(totalBytesWritten, of: totalBytesExpectedToWrite, downloadTask)
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

    /// Credentials belong to the engine, trust to the system.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenge.refuse(completionHandler) {
            tasks.complete(task, challenge.failureResponse ?? task.response, nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        tasks.complete(task, task.response, error)
    }

    #if canImport(Darwin)
        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            tasks.events.end()
        }
    #endif
}

extension URLAuthenticationChallenge {
    /// Lets the system decide about trust, and nobody give a password. corelibs-foundation hangs or
    /// traps on the default handling of a 401 (swift-corelibs-foundation #5457). It asks once the
    /// whole reply has arrived, so that the exchange is complete, and refusing ends the task.
    func refuse(
        _ answer: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
        complete: () -> Void
    ) {
        #if canImport(FoundationNetworking)
            complete()
            answer(.cancelAuthenticationChallenge, nil)
        #else
            let asksForTrust = [
                NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
            ].contains(protectionSpace.authenticationMethod)
            answer(asksForTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #endif
    }
}
