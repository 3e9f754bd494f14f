/// Chooses names so that none depends on the order of what they name: of those that would share a
/// name, or have one that is taken, each gets its next, except one with a better claim to it than
/// all others.
struct DistinctNames {
    /// The chosen names.
    private(set) var names: [String] = []

    /// - Parameters:
    ///   - candidates: The names that each may have, from the one that is tried first.
    ///   - taken: Identities that none may have.
    ///   - claims: How strong the claim of each to its first name is.
    ///   - order: A text by which those are sorted whose last names are the same. They get numbers.
    ///   - identity: What has to differ.
    init(
        _ candidates: [[String]], taken: Set<String> = [], claims: [Int]? = nil,
        order: (Int) -> String,
        identity: (_ index: Int, _ name: String) -> String
    ) {
        var levels = candidates.map { _ in 0 }
        var clashes: [[Int]] = []
        while true {
            let all = Dictionary(grouping: candidates.indices) {
                identity($0, candidates[$0][levels[$0]])
            }
            clashes = all.filter { $1.count > 1 || taken.contains($0) }.map(\.value)
            let open = clashes.flatMap { clash in
                let best = clash.filter { levels[$0] == 0 }.compactMap { claims?[$0] }.max() ?? 0
                let winners = clash.filter { levels[$0] == 0 && claims?[$0] == best }
                return winners.count == 1 && best > 0 ? clash.filter { $0 != winners[0] } : clash
            }.filter { levels[$0] + 1 < candidates[$0].count }
            for index in open { levels[index] += 1 }
            if open.isEmpty { break }
        }
        names = candidates.indices.map { candidates[$0][levels[$0]] }
        var used = taken.union(names.indices.map { identity($0, names[$0]) })
        for clash in clashes {
            let sorted = clash.sorted { order($0) < order($1) }
            let isTaken = taken.contains(identity(sorted[0], names[sorted[0]]))
            for index in sorted.dropFirst(isTaken ? 0 : 1) {
                let name = names[index]
                var number = 2
                while !used.insert(identity(index, "\(name)\(number)")).inserted { number += 1 }
                names[index] = "\(name)\(number)"
            }
        }
    }
}
