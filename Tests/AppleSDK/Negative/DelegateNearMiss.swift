// error: instance method 'urlSession(_:dataTask:didReceive:)' nearly matches
import Foundation

/// Has a method with another parameter than the delegate's, which a session would never call.
final class DelegateNearMiss: NSObject, URLSessionDataDelegate, Sendable {
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: [UInt8]
    ) {}
}
