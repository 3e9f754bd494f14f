import HTTPTypes
import TelexJSON
import TelexTesting

/// A file on a server that truncates or pauses its replies and records requests and replies.
final class DroppingFile: Sendable {
    /// A request and its reply.
    struct Delivery: Sendable {
        /// The first requested byte.
        let first: Int
        /// The position after the last sent byte.
        let end: Int
        /// Whether only the rest was requested.
        let isRest: Bool
        /// The entity tag that the rest must match.
        let version: String?
        /// Whether the connection was reset.
        let isDropped: Bool
    }

    /// A pause in the middle of a reply, until `over` is open.
    struct Halt: Sendable {
        let reached = Gate()
        let over = Gate()
    }

    private let file: FileOnServer
    private let state = Lock((deliveries: [Delivery](), halts: ArraySlice<Halt>()))

    init(_ bytes: [UInt8], entityTag: String) {
        file = FileOnServer(bytes, entityTag: entityTag)
    }

    /// The replies so far, in the order of the requests.
    var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    /// Resets the connection after `bytes` bytes of each of the next `count` replies.
    func drop(_ count: Int, after bytes: Int) {
        for _ in 0..<count { file.cutNextReply(after: bytes) }
    }

    /// Stalls the reply after those: it sends nothing after `bytes` bytes, on an open connection.
    func stall(after bytes: Int) { file.cutNextReply(after: bytes, by: .stall) }

    /// Pauses in the middle of each of the next `count` dropped replies.
    func halt(in count: Int) -> [Halt] {
        let halts = (0..<count).map { _ in Halt() }
        state.withLock { $0.halts = halts[...] }
        return halts
    }

    /// Replaces the file with another version.
    func replace(with bytes: [UInt8], entityTag: String) {
        file.replace(with: bytes, entityTag: entityTag)
    }

    /// Answers a request.
    func answer(_ request: LoopbackRequest) -> LoopbackReply {
        let reply = file.answer(request)
        let delivery = Delivery(request, reply)
        let halt = state.withLock { state in
            state.deliveries.append(delivery)
            return delivery.isDropped ? state.halts.popFirst() : nil
        }
        return halt.map(reply.halting) ?? reply
    }
}

extension DroppingFile.Delivery {
    fileprivate init(_ request: LoopbackRequest, _ reply: LoopbackReply) {
        let range = request.fields[.range]
        let asked = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
        let begin = reply.status == 206 ? asked : 0
        first = asked
        end = begin + reply.body.reduce(0) { $0 + $1.count }
        isRest = range != nil
        version = request.fields[.ifRange]
        isDropped = reply.isReset
    }
}

extension LoopbackReply {
    fileprivate var status: Int? {
        if case .head(let head) = steps.first { head.status.code } else { nil }
    }

    fileprivate var body: [[UInt8]] {
        steps.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
    }

    fileprivate var isReset: Bool {
        steps.contains { if case .reset = $0 { true } else { false } }
    }

    /// The reply with a pause in the middle of its body.
    fileprivate func halting(at halt: DroppingFile.Halt) -> LoopbackReply {
        LoopbackReply(
            steps.flatMap { step -> [Step] in
                guard case .send(let bytes) = step else { return [step] }
                let half = bytes.count / 2
                return [
                    .send(Array(bytes[..<half])), .open(halt.reached), .wait(halt.over),
                    .send(Array(bytes[half...])),
                ]
            })
    }
}
