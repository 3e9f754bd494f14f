import TelexTransport

/// A parameter in the path of an endpoint: `{name}` is one segment, `{+name}` may be several
/// (RFC 6570, section 3.2.3).
struct PathPlaceholder {
    let name: String
    private let keepsSlashes: Bool

    /// Reads the text between the braces.
    init(_ text: String) {
        keepsSlashes = text.utf8.first == UInt8(ascii: "+")
        name = keepsSlashes ? String(text.dropFirst()) : text
    }

    /// Finds a parameter of a path by its name. One that the path has not is one segment.
    init(_ name: String, of path: String) {
        self.init(path.contains("{+\(name)}") ? "+" + name : name)
    }

    /// Whether a value stays at its place of the path: no segment is `.` or `..`, and it is not
    /// empty. With slashes, it does not begin with one, and a segment inside may be empty, as the
    /// keys of some stores have it.
    func allows(_ value: String) -> Bool {
        guard keepsSlashes else { return !RequestField.unsafeSegments.contains(value) }
        let dots = value.split(separator: "/").contains { $0 == "." || $0 == ".." }
        return !dots && !value.isEmpty && value.first != "/"
    }

    func encode(_ text: String) -> String {
        keepsSlashes ? Self.encodeSegments(text) : PercentEncoding.component(text)
    }

    /// Encodes everything but the slashes.
    static func encodeSegments(_ text: String) -> String {
        text.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.component(String($0)) }.joined(separator: "/")
    }
}
