/// The part of a file that a request asks for.
enum ByteRange: Equatable {
    /// No range, or one that this server does not support: the whole file is sent (RFC 9110, 14.2).
    case whole
    case part(Range<Int>)
    /// A range outside the file (RFC 9110, 14.1.2).
    case unsatisfiable

    /// Parses a Range field with one byte range, for a file of `size` bytes. Several ranges, other
    /// units and malformed values mean the whole file.
    init(_ text: String?, of size: Int) {
        guard let text, let bounds = Self.bounds(text) else {
            self = .whole
            return
        }
        switch bounds {
        case (nil, nil): self = .whole
        case (nil, let suffix?):
            self = suffix == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - suffix)..<size)
        case (let first?, let last):
            if let last, last < first { self = .whole; return }
            let end = min(last ?? Int.max - 1, size - 1) + 1
            self = first < size ? .part(first..<end) : .unsatisfiable
        }
    }

    /// The numbers before and after the hyphen.
    private static func bounds(_ text: String) -> (Int?, Int?)? {
        let prefix = "bytes="
        guard text.prefix(prefix.count).lowercased() == prefix else { return nil }
        let parts = text.dropFirst(prefix.count)
            .split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.isEmpty || $0.number != nil }) else {
            return nil
        }
        return (parts[0].number, parts[1].number)
    }
}

extension StringProtocol {
    /// The number, if the text consists of decimal digits only.
    var number: Int? {
        utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(self) : nil
    }
}
