import TelexValues

/// The value of `Content-Range` in bytes (RFC 9110, section 14.4).
package enum ContentRange: Equatable, Sendable {
    /// The range of the body; `total` is the length of the whole document, nil if unknown (`*`).
    case part(ClosedRange<Int>, total: Int?)
    /// The requested range does not exist; `total` is the length of the whole document.
    case unsatisfied(total: Int)

    /// Whether the body is the whole document.
    package var isWhole: Bool {
        guard case .part(let range, let total?) = self else { return false }
        return range.count == total
    }

    /// Parses a field value; nil unless it is one valid range of bytes.
    package init?(_ text: String) {
        let words = text.withoutOptionalSpace.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Int(digits: parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        if parts[0] == "*", let total {
            self = .unsatisfied(total: total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]),
            first <= last, last < total ?? .max
        else { return nil }
        self = .part(first...last, total: total)
    }
}
