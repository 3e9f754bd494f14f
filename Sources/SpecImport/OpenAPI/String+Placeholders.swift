import SpecSyntax

/// Placeholders of paths and addresses. Regular expressions are parsed at each use, and these are used
/// for each operation.
extension StringProtocol {
    /// The texts in braces.
    var placeholders: [String] {
        pieces.filter(\.isPlaceholder).map { String($0.text) }
    }

    /// The text with empty braces.
    var withoutPlaceholderNames: String {
        pieces.map { $0.isPlaceholder ? "{}" : String($0.text) }.joined()
    }

    private var pieces: [(text: SubSequence, isPlaceholder: Bool)] {
        var pieces: [(text: SubSequence, isPlaceholder: Bool)] = []
        var rest = self[...]
        while let end = rest.firstIndex(of: "}"), let start = rest[..<end].lastIndex(of: "{") {
            pieces.append((rest[..<start], false))
            pieces.append((rest[rest.index(after: start)..<end], true))
            rest = rest[rest.index(after: end)...]
        }
        return pieces + [(rest, false)]
    }
}

extension StringProtocol {
    /// The text without the `v` before a version.
    var withoutVersionSign: SubSequence { first == "v" || first == "V" ? dropFirst() : self[...] }
}

extension String {
    /// Whether it is a status with this first digit, or stands for all of them, as `2XX` does.
    func isStatus(_ first: Character) -> Bool {
        let end = dropFirst().utf8
        return self.first == first
            && (self.dropFirst() == "XX"
                || end.count == 2 && end.allSatisfy(\.isDigit))
    }
}
