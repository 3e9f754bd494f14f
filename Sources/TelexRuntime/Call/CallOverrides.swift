/// What a call wants different; nil stands for nothing. A reference, because few want anything and
/// there is much that it could be.
final class CallOverrides: Sendable {
    let options: CallOptions

    /// - Returns: nil if nothing is wanted.
    init?(_ options: CallOptions) {
        guard options != CallOptions() else { return nil }
        self.options = options
    }
}
