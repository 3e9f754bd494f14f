// error: 'UTF8Span' is only available in

/// Uses what the standard library has since the systems of 2025.
enum NewerLibrary {
    static func count(_ text: UTF8Span) -> Int { text.count }
}
