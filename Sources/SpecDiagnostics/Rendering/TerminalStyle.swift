/// The colours of the terminal renderer.
struct TerminalStyle {
    enum Color: Int {
        case red = 31
        case yellow = 33
        case blue = 34
        case cyan = 36
        /// The terminal's own, only bold.
        case none = 39
    }

    let isColored: Bool

    /// The text in bold colour, or as it is when colours are off.
    func paint(_ text: String, _ color: Color) -> String {
        isColored && !text.isEmpty ? "\u{1B}[1;\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    func color(of severity: Severity) -> Color {
        severity == .error ? .red : .yellow
    }
}
