extension Duration {
    /// In words for people, rounded up to the two or three digits that matter: what was chosen at random,
    /// or is left of a time that was told earlier, has many.
    package var inWords: String {
        let time = min(max(self, .zero - .longest), .longest)
        let step: Int64 = time < .milliseconds(100) ? 1 : time < .seconds(10) ? 10 : 100
        let steps = (time / .milliseconds(step)).rounded(.up)
        return "\(Duration.milliseconds(step * Int64(steps)))"
    }
}
