import TelexJSON
import TelexTransport

/// Detects text formats.
enum TextSniffer {
    /// Returns the type of text that bytes contain; nil if they are not text.
    ///
    /// - Parameter isCut: Whether the bytes are only the beginning.
    static func type(of bytes: [UInt8], isCut: Bool) -> MediaType? {
        let hasWideMark = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        if hasWideMark { return bytes.count % 2 == 0 || isCut ? .plainText : nil }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = Array(bytes.starts(with: mark) ? bytes[3...] : bytes[...])
        guard !bytes.isEmpty, isText(text, isCut) else { return nil }
        let start = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        switch start.first {
        case UInt8(ascii: "<"): return Markup(start).type ?? .plainText
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return isJSON(Array(start), isCut) ? .json : .plainText
        default: return .plainText
        }
    }

    /// Whether the bytes are UTF-8 without the bytes that WHATWG calls binary data.
    private static func isText(_ bytes: [UInt8], _ isCut: Bool) -> Bool {
        let hasBinary = bytes.contains { byte in
            byte <= 0x08 || byte == 0x0B || (0x0E...0x1F).contains(byte) && byte != 0x1B
        }
        guard !hasBinary else { return false }
        // The last character may be cut off; at most three of its bytes are then present.
        return (0...(isCut ? min(3, bytes.count) : 0)).contains { count in
            String(validUTF8: bytes.dropLast(count)) != nil
        }
    }

    /// Whether the bytes are JSON, or the beginning of it.
    private static func isJSON(_ bytes: [UInt8], _ isCut: Bool) -> Bool {
        let result = JSONReader.read(bytes) { json -> Void? in json.nothing() }
        guard let error = result.syntaxError else { return true }
        // In the last bytes, an incomplete escape or character looks like an invalid one.
        return isCut && (error.reason == .unexpectedEnd || error.offset >= bytes.count - 12)
    }
}

extension MediaType {
    static let html = MediaType("text/html", "html")
    static let svg = MediaType("image/svg+xml", "svg")
    static let xml = MediaType("application/xml", "xml")
    static let json = MediaType("application/json", "json")
    static let plainText = MediaType("text/plain", "txt")
}

/// The beginning of markup: the declarations before its first element, and the name of that
/// element.
private struct Markup {
    /// The elements that HTML may begin with (WHATWG MIME Sniffing Standard, section 7.1).
    private static let htmlElements: Set<String> = [
        "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title",
        "b", "body", "br", "p",
    ]

    private var rest: ArraySlice<UInt8>
    private var isXML = false
    private var document = ""

    init(_ text: ArraySlice<UInt8>) {
        rest = text
        isXML = rest.starts(with: "<?xml".utf8)
    }

    /// HTML, SVG or XML; nil if it is none of these.
    var type: MediaType? {
        var markup = self
        let root = markup.root()
        if root == "svg" || root?.hasSuffix(":svg") ?? false || markup.document == "svg" {
            return .svg
        }
        if markup.document == "html" || root.map(Self.htmlElements.contains) ?? false {
            return .html
        }
        return isXML ? .xml : nil
    }

    /// Returns the name of the first element, in lower case; nil if there is none.
    private mutating func root() -> String? {
        while true {
            rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            if rest.starts(with: "<?".utf8) {
                guard skip(past: "?>") else { return nil }
            } else if rest.starts(with: "<!--".utf8) {
                guard skip(past: "-->") else { return nil }
            } else if rest.starts(with: "<!".utf8) {
                guard skipDeclaration() else { return nil }
            } else {
                return rest.first == UInt8(ascii: "<") ? word(rest.dropFirst()) : nil
            }
        }
    }

    /// Skips `<!DOCTYPE name …>`, which may contain declarations in brackets.
    private mutating func skipDeclaration() -> Bool {
        if word(rest.dropFirst(2)) == "doctype" {
            document = word(rest.dropFirst(9).drop { $0 <= 0x20 })
        }
        let head = rest.prefix { $0 != UInt8(ascii: ">") }
        return skip(past: head.contains(UInt8(ascii: "[")) ? "]>" : ">")
    }

    private mutating func skip(past mark: String) -> Bool {
        guard let range = rest.firstRange(of: mark.utf8) else { return false }
        rest = rest[range.upperBound...]
        return true
    }

    private func word(_ text: ArraySlice<UInt8>) -> String {
        let word = text.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: word, as: UTF8.self).lowercased()
    }
}
