import TelexRuntime

/// The decoded fields of a form or a query (WHATWG URL, application/x-www-form-urlencoded).
package struct FormFields {
    /// The names and their texts, in order.
    package let pairs: [(name: String, text: String)]

    package init(_ text: String) {
        pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let text = parts.count > 1 ? PercentEncoding.decodeForm(parts[1]) : ""
            return (PercentEncoding.decodeForm(parts[0]), text)
        }
    }

    /// The text of a name; of a name that occurs more than once, the first one.
    package subscript(name: String) -> String? { pairs.first { $0.name == name }?.text }
}

extension SentRequest {
    /// The form fields in the body. If a name occurs more than once, the first value is used.
    public var form: [String: String] {
        Dictionary(FormFields(text).pairs.map { ($0.name, $0.text) }) { first, _ in first }
    }
}
