/// What `Content-Range` says (RFC 9110, section 14.4), in bytes.
enum ContentRange: Equatable, Sendable {
    /// The body is these bytes; `total` is how many the whole has, nil if that is not known (`*`).
    case part(ClosedRange<Int>, total: Int?)
    /// There are no such bytes; the whole has so many.
    case unsatisfied(total: Int)

    /// Whether the body is the whole.
    var isWhole: Bool {
        guard case .part(let range, let total?) = self else { return false }
        return range.count == total
    }

    /// Nil for anything but one range of bytes that makes sense.
    init?(_ text: String) {
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
