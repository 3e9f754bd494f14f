/// Terminal text: character widths and the escaping of control characters.
package enum TerminalText {
    /// The text with invisible and control characters escaped. Otherwise a spec could move the
    /// cursor, colour the screen, reverse the writing direction or forge output.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHostile) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += shown($1) }
    }

    /// One scalar as shown: itself, or an escape such as `\n` or `\u{202E}`.
    static func shown(_ scalar: Unicode.Scalar) -> String {
        guard isHostile(scalar) else { return String(scalar) }
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default: return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
            return true
        // Joiners are part of emoji; other format characters change how their neighbours look.
        case .format: return scalar != "\u{200D}"
        default: return false
        }
    }

    /// The number of columns that a scalar adds after `previous`. An emoji sequence takes two in
    /// all.
    static func width(of scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Int {
        if scalar.value < 0x300 { return 1 }
        if previous == "\u{200D}" || scalar.properties.isEmojiModifier { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isEmojiPresentation { return !(0x1F1E6...0x1F1FF ~= scalar.value) }
        return wide.contains { $0 ~= scalar.value }
    }

    /// East Asian Wide and Fullwidth blocks (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD,
    ]
}
