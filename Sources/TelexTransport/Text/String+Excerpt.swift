extension String {
    /// The text without invisible characters: line breaks, other control characters, marks that
    /// change the direction of writing.
    package var visible: String { excerpt(.max) }

    /// The text in one line, with escapes for invisible characters, for example of a path that a
    /// developer has to find.
    package var escaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isVisible {
                text.unicodeScalars.append(scalar)
            } else {
                text += scalar.escape
            }
        }
    }

    /// Returns at most `length` visible characters of a text from elsewhere: one line, whatever it
    /// contains.
    package func excerpt(_ length: Int = 200) -> String {
        var seen = String.UnicodeScalarView()
        seen.append(contentsOf: unicodeScalars.lazy.filter(\.isVisible).prefix(length))
        return String(seen)
    }
}

extension Unicode.Scalar {
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default: true
        }
    }

    fileprivate var escape: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(value, radix: 16))}"
        }
    }
}
