/// Returns `; did you mean …?` with the most similar word; empty if none is similar enough.
package func spellingHint(_ word: String, among words: [String]) -> String {
    let limit = max(1, word.count / 3)
    let near = words.map { ($0, editDistance(word, $0)) }.filter { $0.1 <= limit }
    guard let best = near.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return "" }
    return "; did you mean `\(best.0)`?"
}

/// Returns the number of letters to add, remove or change (Levenshtein distance), ignoring case.
private func editDistance(_ one: String, _ other: String) -> Int {
    let target = Array(other.lowercased())
    var row = Array(0...target.count)
    for letter in one.lowercased() {
        var diagonal = row[0]
        row[0] += 1
        for (column, candidate) in target.enumerated() {
            let change = diagonal + (letter == candidate ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(change, row[column] + 1, diagonal + 1)
        }
    }
    return row[target.count]
}
