import HTTPTypes

@testable import TelexRuntime

extension Reply {
    /// A successful reply with this text.
    init(_ text: String) {
        self.init(head: HTTPResponse(status: .ok), body: Array(text.utf8))
    }
}
