extension StringProtocol {
    /// Whether two texts are equal. The time depends only on their lengths, so that an attacker
    /// cannot measure how much of a guess is right.
    package func isEqualInConstantTime(to other: some StringProtocol) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
