import HTTPTypes

/// A whole reply.
struct CollectedReply: Sendable {
    let head: HTTPResponse
    let body: [UInt8]

    var status: Int { head.status.code }
    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? { HTTPField.Name(name).flatMap { head.headerFields[$0] } }
}
