import HTTPTypes
import Synchronization
import TelexTesting

/// A file on a server that cuts its replies off, or stops in the middle of them, and remembers what it
/// was asked for and what it sent.
final class DroppingFile: Sendable {
    /// A request and what it got.
    struct Delivery: Sendable {
        /// The first byte that was asked for.
        let first: Int
        /// The number of bytes up to the last one that was sent.
        let end: Int
        /// Whether only the rest was asked for.
        let isRest: Bool
        /// The tag of the version that the rest has to be of.
        let version: String?
        /// Whether the connection was cut off.
        let isDropped: Bool
    }

    /// The middle of a reply, in which the server waits until it may go on.
    struct Halt: Sendable {
        let reached = Gate()
        let over = Gate()
    }

    private let file: FileOnServer
    private let state = Mutex((deliveries: [Delivery](), halts: ArraySlice<Halt>()))

    init(_ bytes: [UInt8], entityTag: String) {
        file = FileOnServer(bytes, entityTag: entityTag)
    }

    /// What was sent so far, in the order of the requests.
    var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    /// Has the next replies end after so many bytes each.
    func drop(_ count: Int, after bytes: Int) {
        for _ in 0..<count { file.cutNextReply(after: bytes) }
    }

    /// Has the reply after those send no more after so many bytes, on a connection that stays.
    func stall(after bytes: Int) { file.cutNextReply(after: bytes, by: .stall) }

    /// Has the server wait in the middle of each of the next replies that are dropped.
    func halt(in count: Int) -> [Halt] {
        let halts = (0..<count).map { _ in Halt() }
        state.withLock { $0.halts = halts[...] }
        return halts
    }

    /// Makes another version of the file.
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

    /// The same reply, with a halt in the middle of its body.
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
