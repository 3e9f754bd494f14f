/// The time-outs and the retry policy of calls for which a spec sets none; times in milliseconds.
/// They are those of `Timeouts` and `RetryPolicy` of the runtime, which has no part of the compiler.
public enum RuntimeDefaults {
    /// The idle time-out of an exchange.
    public static let silence = 60_000
    /// The longest accepted pause of a `Retry-After`.
    public static let pause = 300_000
    /// The highest number of attempts.
    public static let attempts = 3
    /// The statuses after which a call is retried, besides failures of the connection.
    public static let statuses = [429, 503]
    /// The wait before the second attempt.
    public static let firstWait = 500
    /// The factor of each further wait.
    public static let waitFactor = 2.0
    /// The random variation of a wait, in percent.
    public static let jitter = 20
    /// The longest wait.
    public static let longestWait = 20_000
}
