import HTTPTypes
import TelexTesting

/// A request as the server or the script of a transport received it.
struct ReceivedRequest: Sendable {
    let method: String
    let target: String
    let fields: HTTPFields
    let body: [UInt8]
}

extension ReceivedRequest {
    init(_ request: LoopbackRequest) {
        self.init(
            method: request.method, target: request.target, fields: request.fields,
            body: request.body)
    }

    init(_ request: SentRequest) {
        self.init(
            method: request.head.method.rawValue, target: request.head.path ?? "",
            fields: request.head.headerFields, body: request.body)
    }
}
