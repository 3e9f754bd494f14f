import Foundation

/// The head of a message of JSON-RPC 2.0.
struct Message: Decodable {
    /// The id of a request: a number or a text, which are kept apart.
    let id: JSONTree?
    /// The method; nil in a reply of the client.
    let method: String?

    /// The parameters, of the type that the method has.
    struct Call<Params: Decodable>: Decodable {
        let params: Params
    }

    /// A request that the client takes back.
    struct Cancellation: Decodable {
        let id: JSONTree
    }
}

/// What the server sends.
struct Reply<Content: Encodable>: Encodable {
    let id: JSONTree
    let result: Content

    private enum Key: String, CodingKey { case jsonrpc, id, result }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("2.0", forKey: .jsonrpc)
        try container.encode(id, forKey: .id)
        // An absent result is `null`.
        try container.encode(result, forKey: .result)
    }
}

/// A request or a notification of the server.
struct OwnMessage<Params: Encodable>: Encodable {
    var jsonrpc = "2.0"
    /// Nil for a notification.
    var id: String?
    let method: String
    let params: Params
}

/// A request that is refused.
struct Refusal: Error, Encodable {
    /// The codes of JSON-RPC and of the protocol.
    enum Code: Int, Encodable {
        case parse = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParams = -32602
        case notInitialized = -32002
        case cancelled = -32800
        case failed = -32803
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The reply that says so.
    struct Reply: Encodable {
        var jsonrpc = "2.0"
        let id: JSONTree
        let error: Refusal
    }
}

/// JSON of messages: members in a fixed order.
enum MessageCoder {
    static func encoded(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The types of messages have no value that JSON lacks.
        return (try? encoder.encode(value)) ?? Data()
    }

    static func decoded<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
