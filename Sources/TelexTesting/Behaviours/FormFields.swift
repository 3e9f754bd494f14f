import TelexRuntime

/// The decoded fields of a form or a query (WHATWG URL, application/x-www-form-urlencoded). If a
/// name occurs more than once, the first value is used.
struct FormFields {
    /// The values by name.
    let values: [String: String]

    init(_ text: String) {
        let pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? PercentEncoding.decodeForm(parts[1]) : ""
            return (PercentEncoding.decodeForm(parts[0]), value)
        }
        values = Dictionary(pairs) { first, _ in first }
    }

    subscript(name: String) -> String? { values[name] }
}

extension SentRequest {
    /// The form fields in the body. If a name occurs more than once, the first value is used.
    public var form: [String: String] { FormFields(text).values }
}
