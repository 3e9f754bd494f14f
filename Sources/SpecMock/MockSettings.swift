import Dispatch
import TelexTesting

/// What a mock does besides answering.
public struct MockSettings: Sendable {
    /// What made values depend on: the same seed gives the same replies.
    public var seed: UInt64 = 0
    /// How long a token is good; nil for ever.
    public var tokenLife: Duration?
    /// How long replies are held back.
    public var delay: Delay?
    /// The faults that some replies have.
    public var faults: [FaultShare] = []
    /// The most requests in a time, beyond which they are refused with 429.
    public var limit: (requests: Int, time: Duration)?
    /// The real server to which all requests are passed on; nil for none.
    public var upstream: Upstream?
    /// Runs an action after a time; by default on the system's clock.
    public var after: @Sendable (_ time: Duration, _ action: @escaping @Sendable () -> Void) -> Void

    /// Creates settings of a mock that only answers.
    public init() {
        after = { time, action in
            let seconds = time / .seconds(1)
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: action)
        }
    }

    /// Reads a limit such as `3/s`, `100/m` or `5000/h`; nil for anything else.
    public static func limit(_ text: String) -> (requests: Int, time: Duration)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let requests = Int(parts[0]), requests > 0,
            let time = Duration(
                written: parts[1].first?.isNumber == true ? parts[1] : "1" + parts[1]),
            time > .zero
        else { return nil }
        return (requests, time)
    }
}
