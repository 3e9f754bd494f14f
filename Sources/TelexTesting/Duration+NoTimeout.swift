extension Duration {
    /// A time-out that no exchange reaches, however slow the machine is: the test run ends first.
    package static let noTimeout = Duration.seconds(36_000)
}
