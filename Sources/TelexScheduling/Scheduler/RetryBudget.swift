/// Limits retries to a small share of all requests, so that they do not overload a failing server:
/// each call earns a tenth of a retry, and each retry costs one. A small reserve, which refills
/// slowly, lets apps with few calls retry. (The idea is that of Finagle's and Tower's retry
/// budgets.)
///
/// A transport's own repeat, on a new connection after a kept one has ended without a reply, is not
/// counted: it is no sign of a failing server, and happens where no effect can occur twice.
struct RetryBudget: Sendable {
    /// The share of a retry that each call earns.
    static let share = 0.1
    /// The maximum number of saved retries.
    static let most = 100.0
    /// The initial number of retries, and the limit of the refill over time.
    static let reserve = 10.0
    /// The time in which the reserve refills by one retry.
    static let recovery = Duration.seconds(10)

    private var balance = reserve
    private var last = Duration.zero

    /// Records the first attempt of a call.
    mutating func deposit(at now: Duration) {
        refill(now)
        balance = min(balance + Self.share, Self.most)
    }

    /// Takes a retry; returns false if there is none.
    mutating func withdraw(at now: Duration) -> Bool {
        refill(now)
        guard balance >= 1 else { return false }
        balance -= 1
        return true
    }

    private mutating func refill(_ now: Duration) {
        defer { last = now }
        guard balance < Self.reserve, now > last else { return }
        balance = min(balance + (now - last) / Self.recovery, Self.reserve)
    }
}
