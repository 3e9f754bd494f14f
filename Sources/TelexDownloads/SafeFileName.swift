/// Makes file names from a server safe: the result is a single path component.
///
/// - Only the part after the last `/` or `\` is used (RFC 6266, section 4.3).
/// - Control characters and marks that change the direction of text (`gpj.exe` displayed as
///   `exe.jpg`) are removed; `< > : " | ? *` become `_`.
/// - Dots and white space at both ends are removed: no name is hidden, `.` or `..`. So are leading
///   marks that combine with the previous character, such as accents.
/// - The name has at most 200 bytes of UTF-8; the extension stays. File systems allow 255, and the
///   suffixes of a partial download need some of them.
enum SafeFileName {
    /// The maximum length of a name in bytes.
    package static let limit = 200

    /// Returns the safe form of a name; nil if nothing is left of it.
    package static func name(_ suggestion: String) -> String? {
        let last = suggestion.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? [][...]
        let short = shortened(trimmed(last.compactMap(harmless)[...]))
        return short.isEmpty ? nil : text(short)
    }

    /// Returns the replacement of a character; nil if it is removed.
    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if "<>:\"|?*".unicodeScalars.contains(scalar) { return "_" }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return nil
        // Joiners are needed in some scripts and emoji; other format characters only mislead.
        case .format: return isJoiner(scalar) ? scalar : nil
        default: return scalar
        }
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    private static func trimmed(_ name: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
        let start = name.drop { isEdge($0) || isContinuation($0) }
        return start.lastIndex { !isEdge($0) }.map { start[...$0] } ?? []
    }

    /// Whether the scalar may combine with the character before it. After a slash, code that
    /// compares whole characters would not find the slash.
    private static func isContinuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: text(["/", scalar]).count == 1
        }
    }

    /// Whether the scalar is removed from both ends of a name.
    private static func isEdge(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar.properties.isWhitespace
    }

    /// Returns the name cut to the limit, with its extension.
    private static func shortened(
        _ name: ArraySlice<Unicode.Scalar>
    ) -> ArraySlice<Unicode.Scalar> {
        guard size(name) > limit else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let tail = size(name[dot...]) <= 20 ? name[dot...] : []
        var room = limit - size(tail)
        let head = name.prefix { scalar in
            room -= UTF8.width(scalar)
            return room >= 0
        }
        return trimmed(head) + tail
    }

    private static func size(_ name: ArraySlice<Unicode.Scalar>) -> Int {
        name.reduce(0) { $0 + UTF8.width($1) }
    }

    private static func text(_ name: ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        text.unicodeScalars.append(contentsOf: name)
        return text
    }
}
