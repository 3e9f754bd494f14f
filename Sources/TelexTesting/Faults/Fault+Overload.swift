import Foundation
import HTTPTypes

extension Fault {
    static let overloadFaults = [
        tooManyRequests(retryAfter: "7"),
        tooManyRequests(retryAfter: Date(timeIntervalSince1970: 784_111_777).httpText),
        unavailableFor(3),
    ]

    /// A 429 with a Retry-After in seconds or as a date (RFC 9110, 10.2.3).
    public static func tooManyRequests(retryAfter: String) -> Fault {
        Fault(
            "429 with Retry-After: \(retryAfter)",
            duty: "does not return earlier; compares a date with the server's Date field",
            Probe(.text("slow down", status: 429)),
            replies: .text("slow down", status: 429, fields: [.retryAfter: retryAfter]))
    }

    /// A 503 `count` times, and then a normal reply.
    public static func unavailableFor(_ count: Int) -> Fault {
        let refusals = [LoopbackReply](repeating: .text("busy", status: 503), count: count)
        let probes = (0..<count).map { _ in Probe(.text("busy", status: 503)) }
        return Fault(
            "503 \(count) times", duty: "retries with a growing back-off and a limit",
            probes: probes + [Probe(.text("ok"))]
        ) { LoopbackServer.inTurn(refusals + [.text("ok")]) }
    }
}
