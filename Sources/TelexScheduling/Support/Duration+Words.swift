extension Duration {
    /// The duration as text for people, rounded up to two or three significant digits, because
    /// random delays and remaining times have many.
    package var roundedDescription: String {
        let time = min(max(self, .zero - .longest), .longest)
        let step: Int64 = time < .milliseconds(100) ? 1 : time < .seconds(10) ? 10 : 100
        let steps = (time / .milliseconds(step)).rounded(.up)
        return "\(Duration.milliseconds(step * Int64(steps)))"
    }
}
