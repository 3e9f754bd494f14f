import TelexTransport

/// A parameter in the path of an endpoint: `{name}` is one segment, `{+name}` may be several, and
/// the escapes of its value stay (RFC 6570, section 3.2.3).
struct PathPlaceholder {
    package let name: String
    private let isReserved: Bool

    /// Reads the text between the braces.
    package init(_ text: String) {
        isReserved = text.utf8.first == UInt8(ascii: "+")
        name = isReserved ? String(text.dropFirst()) : text
    }

    /// Finds a parameter of a path by its name. One that the path has not is one segment.
    package init(_ name: String, of path: String) {
        self.init(path.contains("{+\(name)}") ? "+" + name : name)
    }

    /// Whether a value stays at its place of the path: no segment is `.` or `..`, and it is not
    /// empty. With slashes, it does not begin with one, and a segment inside may be empty, as the
    /// keys of some stores have it. Servers read escapes that stay, so they count as what they mean.
    package func allows(_ value: String) -> Bool {
        guard isReserved else { return !RequestField.unsafeSegments.contains(value) }
        let text = PercentEncoding.decode(value[...])
        let dots = text.split(separator: "/").contains { $0 == "." || $0 == ".." }
        return !dots && !value.isEmpty && text.first != "/"
    }

    /// Encodes the texts of a value. In those of a list, the separator is no part of an item.
    package func encode(_ pair: RequestField.Pair) -> String {
        if pair.texts.count == 1 { return encode(pair.texts[0]) }
        return pair.texts.map(PercentEncoding.component).joined(
            separator: PercentEncoding.separator(pair.separator))
    }

    package func encode(_ text: String) -> String {
        guard isReserved else { return Self.segment(text[...], PercentEncoding.segment) }
        return text.split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.segment($0, PercentEncoding.segmentWithEscapes) }.joined(separator: "/")
    }

    /// Encodes a segment. Some servers read `..;a` as `..`, so that nothing stays of such a one.
    private static func segment(_ text: Substring, _ encode: (Substring) -> String) -> String {
        let stem = PercentEncoding.decode(text.prefix { $0 != ";" })
        return RequestField.unsafeSegments.contains(stem) && text.contains(";")
            ? encode(text).replacing(";", with: "%3B") : encode(text)
    }

    /// The forms in which a path may hold a text.
    package static func forms(of text: String) -> [String] {
        [PathPlaceholder(""), PathPlaceholder("+")].map { $0.encode(text) }
    }
}
