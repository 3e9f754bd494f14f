import SpecSyntax

/// The notation of scalars.
struct FormatScalar {
    /// The file that they are from.
    let bytes: [UInt8]

    /// A text on several lines, or one that has to stay on one.
    enum Block {
        case line(String)
        case lines(mark: String, [String])
    }

    /// A scalar on one line. A plain one stays plain, so that numbers stay numbers, unless brackets
    /// or commas need quotes in braces; what was quoted for them alone loses its quotes elsewhere.
    func text(_ node: YAMLNode, isInFlow: Bool) -> String {
        let text = node.text
        if node.isPlain {
            return isInFlow && !Self.isSafe(text) ? YAMLText.inQuotes(text) : text
        }
        let isBlock = [UInt8(ascii: "|"), UInt8(ascii: ">")].contains(bytes[Int(node.span.start)])
        let plain = YAMLText.text(text, isInFlow: isInFlow)
        return isBlock || !isInFlow && !Self.isSafe(text) ? plain : YAMLText.inQuotes(text)
    }

    /// Whether a plain text stays one in braces.
    private static func isSafe(_ text: String) -> Bool {
        !text.utf8.contains { ",[]{}".utf8.contains($0) } && text.utf8.last != UInt8(ascii: ":")
            && !text.contains(ascii: "?:")
    }

    /// A text that does not fit a line.
    func block(_ node: YAMLNode, width: Int) -> Block {
        YAMLText.block(node.text, width: width).map { .lines(mark: $0.mark, $0.lines) }
            ?? .line(text(node, isInFlow: false))
    }
}
