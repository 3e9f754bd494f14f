/// Entity references of XML (section 4.6) and HTML.
enum XMLEntity {
    /// Returns the text escaped for XML and HTML.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: "&<>\"'".utf8.contains) else { return text }
        return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&#39;")
    }
}
