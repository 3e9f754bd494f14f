/// The fields of a form or a query, decoded (WHATWG URL, application/x-www-form-urlencoded). Of a
/// name that comes more than once, the first counts.
struct FormFields {
    /// The values by name.
    let values: [String: String]

    init(_ text: String) {
        let pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
        values = Dictionary(pairs) { first, _ in first }
    }

    subscript(name: String) -> String? { values[name] }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, let escaped = UInt8(hexadecimal: rest.prefix(2)) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == 0x2B ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.count == 2 else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension SentRequest {
    /// The fields of a form in the body; of a name that comes more than once, the first counts.
    public var form: [String: String] { FormFields(text).values }
}
