import TelexJSON

extension JSONValue {
    /// The value of a JSON text; nil for another text.
    init?(json: some StringProtocol) {
        let bytes = Array(json.utf8)
        guard JSONReader.syntaxError(in: bytes) == nil,
            let value = JSONReader.value(at: [], in: bytes)
        else { return nil }
        self = value
    }

    /// The value in a message.
    var shortText: String { Violation.bounded(description) }
}
