import Foundation
import HTTPTypes

extension Fault {
    static let overloadFaults = [
        tooManyRequests(retryAfter: "7"),
        tooManyRequests(retryAfter: Date(timeIntervalSince1970: 784_111_777).httpText),
        burst(of: 3, retryAfter: "1"),
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

    /// A server that serves a burst of calls, and then refuses each with 429 and a Retry-After.
    public static func burst(of count: Int, retryAfter: String) -> Fault {
        let refusal = LoopbackReply.text(
            "slow down", status: 429, fields: [.retryAfter: retryAfter])
        let served = (0..<count).map { _ in Probe(.text("ok")) }
        let refused = (0..<count).map { _ in Probe(.text("slow down", status: 429)) }
        return Fault(
            "429 with Retry-After: \(retryAfter) after a burst of \(count)",
            duty: "sends the other calls one by one, at the rate at which the burst was served",
            probes: served + refused
        ) {
            LoopbackServer.inTurn([LoopbackReply](repeating: .text("ok"), count: count) + [refusal])
        }
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
