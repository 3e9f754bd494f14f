import SpecIR
import TelexJSON

/// The values of enumerations.
extension ValueCheck {
    /// The values that are words: itself, the elements of a list or the keys of a map.
    private func unknownWords(in value: CheckedValue) -> [String] {
        let all: [String] =
            switch value {
            case .word(let word): [word]
            case .list(let items):
                items.compactMap { if case .word(let word) = $0 { word } else { nil } }
            case .map(let entries): words.isEmpty ? [] : entries.keys.sorted()
            default: []
            }
        return all.filter { word in !words.contains { $0.utf8.elementsEqual(word.utf8) } }
    }

    func checkKnown(_ value: CheckedValue, _ json: inout JSONReader) {
        var known = words
        if case .list = value { known = inner?.words ?? [] }
        for word in unknownWords(in: value) where !known.contains(word) {
            json.broken(
                "enum", expected: "one of \(JSONReader.listed(known.map(CheckedValue.word)))",
                found: Violation.bounded(word), message: nil, severity: .error)
        }
    }

    /// Notes a value that an open enumeration does not have.
    func note(_ value: CheckedValue, _ json: inout JSONReader, _ run: CheckRun) {
        guard run.notes != nil, !words.isEmpty else { return }
        for word in unknownWords(in: value) {
            let found = json.isSensitive ? JSONValue.string(Violation.redacted) : .string(word)
            run.notes?.append(SpecNote(.unknownCase, at: json.path, found: found))
        }
    }
}
