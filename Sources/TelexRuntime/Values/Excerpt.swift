extension String {
    /// The text without what is not seen: line breaks, other control characters, marks that change
    /// the direction of writing.
    var visible: String { excerpt(.max) }

    /// The text in one line, with escapes for what is not seen: a path that has to be found, say.
    var escaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isSeen { text.unicodeScalars.append(scalar) } else { text += scalar.escape }
        }
    }

    /// The beginning of somebody else's words, without what is not seen: one line, however long they
    /// are and whatever is in them.
    package func excerpt(_ length: Int = 200) -> String {
        var seen = String.UnicodeScalarView()
        seen.append(contentsOf: unicodeScalars.lazy.filter(\.isSeen).prefix(length))
        return String(seen)
    }
}

extension Unicode.Scalar {
    fileprivate var isSeen: Bool {
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
