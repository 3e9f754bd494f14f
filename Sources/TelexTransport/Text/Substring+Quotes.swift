import TelexValues

/// Quoted strings of header fields (RFC 9110, section 5.6.4).
extension StringProtocol where SubSequence == Substring {
    /// Returns the parts between separators that are not inside a quoted string.
    package func parts(at separator: Unicode.Scalar) -> [Substring] {
        var (parts, start): ([Substring], Index) = ([], startIndex)
        var (isQuoted, isEscaped) = (false, false)
        for index in unicodeScalars.indices {
            let letter = unicodeScalars[index]
            if isEscaped {
                isEscaped = false
            } else if letter == "\"" {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = letter == "\\"
            } else if letter == separator {
                parts.append(self[start..<index])
                start = unicodeScalars.index(after: index)
            }
        }
        return parts + [self[start...]]
    }

    /// The name and the value of `name=value` or `name="value"`, without the space around them; the
    /// value is nil without `=`.
    package var parameter: (name: String, value: String?) {
        let mark = unicodeScalars.firstIndex(of: "=")
        let value = mark.map { self[unicodeScalars.index(after: $0)...].withoutOptionalSpace }
        return (String(self[..<(mark ?? endIndex)].withoutOptionalSpace), value?.unquoted)
    }
}

extension Substring {
    /// The content of a quoted string at the start, otherwise the whole text.
    fileprivate var unquoted: String {
        var rest = self
        return rest.removeQuoted() ?? String(self)
    }

    /// Removes a quoted string at the start, and returns its content; nil if there is none. One
    /// without an end is read to the end of the text.
    package mutating func removeQuoted() -> String? {
        var rest = unicodeScalars
        guard rest.popFirst() == "\"" else { return nil }
        var content = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), scalar != "\"" {
            content.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        self = Substring(rest)
        return String(content)
    }
}
