import HTTPTypes
import TelexRuntime
import TelexTesting

/// A reply that a server or a script gives.
enum ScriptedReply: Sendable {
    case bytes([UInt8] = [], status: Int = 200, fields: HTTPFields = [:])
    case truncated([UInt8], declaring: Int)
    case stalled([UInt8], declaring: Int, until: Gate)
    case closed
    case held(Gate)
}

extension ScriptedReply {
    var loopbackReply: LoopbackReply {
        switch self {
        case .bytes(let body, let status, let fields):
            .bytes(body, status: status, fields: fields)
        case .truncated(let body, let length): .truncated(body, declaring: length)
        case .stalled(let body, let length, _): .stalled(body, declaring: length)
        case .closed: .closed
        case .held(let gate): .bytes().held(by: gate)
        }
    }

    func transportReply() async throws(TransportError) -> TransportReply {
        switch self {
        case .bytes(let body, let status, let fields):
            return .bytes(body, status: .init(code: status), fields: fields)
        case .truncated(let body, let length): return .truncated(body, declaring: length)
        case .stalled(let body, let length, let gate):
            return .chunks([body], length: length, after: gate)
        case .closed: throw TransportError(.connectionLost, "closed")
        case .held(let gate):
            await gate.wait()
            return .bytes()
        }
    }
}
