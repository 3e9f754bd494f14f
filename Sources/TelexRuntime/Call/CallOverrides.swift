/// The options of one call that differ from its method's; nil instead of an empty value. A class,
/// because few calls have any and the options are large.
final class CallOverrides: Sendable {
    let options: CallOptions

    /// - Returns: nil if no option is set.
    init?(_ options: CallOptions) {
        guard options != CallOptions() else { return nil }
        self.options = options
    }
}
