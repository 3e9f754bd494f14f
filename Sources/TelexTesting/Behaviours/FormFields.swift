import TelexRuntime

/// The fields of a form or a query, decoded (WHATWG URL, application/x-www-form-urlencoded). Of a
/// name that comes more than once, the first counts.
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
    /// The fields of a form in the body; of a name that comes more than once, the first counts.
    public var form: [String: String] { FormFields(text).values }
}
