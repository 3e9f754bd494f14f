/// A request that is refused.
struct Refusal: Error {
    /// The codes of JSON-RPC and of the protocol.
    enum Code: Int {
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
}
