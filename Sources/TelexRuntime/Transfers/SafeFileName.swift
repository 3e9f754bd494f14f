/// A name for a file that came from a server, made harmless: one component of a path, wherever it
/// is put.
///
/// - Only what follows the last `/` or `\` counts (RFC 6266, section 4.3).
/// - Control characters and marks that turn the direction of text (`gpj.exe` shown as `exe.jpg`)
///   are left out; `< > : " | ? *` become `_`.
/// - Dots and white space at the beginning and at the end are left out: no name is hidden, `.` or
///   `..`. So are marks at the beginning that belong to the character before them, such as accents.
/// - It has at most 200 bytes of UTF-8; the extension stays. File systems allow 255, and an
///   unfinished download needs some for itself.
enum SafeFileName {
    /// The most bytes that a name may have.
    static let limit = 200

    /// The harmless form of a name; nil if nothing is left of it.
    static func name(_ suggestion: String) -> String? {
        let last = suggestion.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? [][...]
        let short = shortened(trimmed(last.compactMap(harmless)[...]))
        return short.isEmpty ? nil : text(short)
    }

    /// What stands in a name for a character; nil if nothing does.
    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if "<>:\"|?*".unicodeScalars.contains(scalar) { return "_" }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return nil
        // Joiners make letters and pictures; the other format characters only mislead.
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

    /// Whether it may belong to the character before it: behind a slash, it would be a part of that to
    /// whoever looks at whole characters.
    private static func isContinuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: text(["/", scalar]).count == 1
        }
    }

    /// Whether no name begins or ends with it.
    private static func isEdge(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar.properties.isWhitespace
    }

    /// As much of the name as is allowed, and its extension.
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
