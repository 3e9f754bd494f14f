import TelexJSON
import TelexScheduling

/// Makes texts that a compiled pattern matches, by walking through its program.
struct PatternWalk {
    private let steps: [Instruction]
    /// The fewest scalars between each step and the end of the program.
    private let distances: [Int]

    init(_ pattern: Pattern) {
        steps = pattern.instructions
        distances = Self.distances(steps)
    }

    /// A text whose length is in this range, if the pattern has one; nil if the walk ends nowhere.
    func text(of lengths: ClosedRange<Int>, using random: inout SeededRandom) -> String? {
        for _ in 0..<50 {
            let wanted = lengths.lowerBound + Int.random(in: 0...8, using: &random)
            let made = walk(toward: min(wanted, lengths.upperBound), using: &random)
            if let made, lengths.contains(made.unicodeScalars.count) { return made }
        }
        return walk(toward: lengths.lowerBound, using: &random)
    }

    private func walk(toward length: Int, using random: inout SeededRandom) -> String? {
        var (place, budget) = (0, 20_000)
        var text = String.UnicodeScalarView()
        while steps.indices.contains(place), budget > 0 {
            budget -= 1
            switch steps[place] {
            case .match: return String(text)
            case .start: if text.isEmpty { place += 1 } else { return nil }
            case .end: place += 1
            case .jump(let target): place = target
            case .split(let one, let other):
                let (near, far) = distances[one] <= distances[other] ? (one, other) : (other, one)
                let missing = length - text.count
                // A longer way may be one without an end: it is taken while there is room for it.
                let hasRoom =
                    distances[near] == distances[far]
                    || missing > 0 && distances[far] < .max && distances[far] <= missing + 1
                place = hasRoom && Int.random(in: 0..<4, using: &random) > 0 ? far : near
            case .scalar(let set):
                let ranges = set.isNegated ? Self.complement(set.ranges) : set.ranges
                guard let scalar = Self.scalar(of: ranges, using: &random) else { return nil }
                text.append(scalar)
                place += 1
            }
        }
        return nil
    }

    /// A scalar of a set, preferably one that can be read.
    private static func scalar(
        of ranges: [ClosedRange<UInt32>], using random: inout SeededRandom
    ) -> Unicode.Scalar? {
        let plain = ranges.map { $0.clamped(to: 0x21...0x7E) }
            .filter { range in ranges.contains { $0.overlaps(range) } }
        guard let range = (plain.isEmpty ? ranges : plain).randomElement(using: &random) else {
            return nil
        }
        let first = UInt32.random(in: range, using: &random)
        return Unicode.Scalar(first) ?? Unicode.Scalar(range.lowerBound)
    }

    /// The letters, digits and signs of ASCII outside of a set; all beyond ASCII if there are none.
    private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        let free = (0x21...0x7E as ClosedRange<UInt32>).filter { scalar in
            !ranges.contains { $0.contains(scalar) }
        }
        return free.isEmpty ? [0x3B1...0x3C9] : free.map { $0...$0 }
    }

    private static func distances(_ steps: [Instruction]) -> [Int] {
        var known = steps.map { if case .match = $0 { 0 } else { Int.max } }
        for _ in steps {
            let before = known
            for (place, step) in steps.enumerated().reversed() {
                let next = place + 1 < steps.count ? known[place + 1] : Int.max
                switch step {
                case .match: continue
                case .start, .end: known[place] = next
                case .scalar: known[place] = next == .max ? .max : next + 1
                case .jump(let target): known[place] = known[target]
                case .split(let one, let other): known[place] = min(known[one], known[other])
                }
            }
            if known == before { break }
        }
        return known
    }
}
