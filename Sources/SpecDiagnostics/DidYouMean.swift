/// The help for a misspelt word: the question whether the nearest candidate is meant; nil if none is near.
public func didYouMean(_ word: String, among candidates: some Sequence<String>) -> String? {
    nearest(to: word, among: candidates).map { "did you mean `\($0)`?" }
}

/// The candidate nearest to a misspelt word, or nil if none is near.
///
/// Near means: at most a third of the word's letters (at least one, at most four) inserted, left
/// out, replaced or swapped with their neighbour, case aside. Of equally near ones the first in
/// alphabetical order wins. A word of more than 100 characters has no near candidate.
public func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().unicodeScalars)
    guard !letters.isEmpty, letters.count <= 100 else { return nil }
    let limit = min(4, max(1, letters.count / 3))
    var best: (distance: Int, candidate: String)?
    for candidate in candidates where candidate != word {
        let other = Array(candidate.lowercased().unicodeScalars)
        guard abs(other.count - letters.count) <= limit, !other.isEmpty else { continue }
        let distance = editDistance(letters, other)
        guard distance <= limit, distance < other.count else { continue }
        if let found = best, found <= (distance, candidate) { continue }
        best = (distance, candidate)
    }
    return best?.candidate
}

/// The Damerau–Levenshtein distance (optimal string alignment) of two words.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1...left.count {
        var current = [row]
        for column in 1...right.count {
            let isSame = left[row - 1] == right[column - 1]
            var cost = min(last[column], current[column - 1]) + 1
            cost = min(cost, last[column - 1] + (isSame ? 0 : 1))
            if row > 1, column > 1, left[row - 1] == right[column - 2],
                left[row - 2] == right[column - 1]
            {
                cost = min(cost, beforeLast[column - 2] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
