/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and deterministic for a seed, so that a run
/// of the engine can be repeated. Not for secrets.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= UInt64(0x9E37_79B9_7F4A_7C15)
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* UInt64(0xBF58_476D_1CE4_E5B9)
        mixed = (mixed ^ (mixed >> 27)) &* UInt64(0x94D0_49BB_1331_11EB)
        return mixed ^ (mixed >> 31)
    }
}
