/// Keeps retries a small share of all requests, so that a server in trouble is not buried under
/// them: each call earns a tenth of a retry, each retry costs a whole one. A small reserve lets quiet
/// apps retry; it fills up slowly. (The idea is that of Finagle's and Tower's retry budgets.)
struct RetryBudget: Sendable {
    /// How much of a retry each call earns.
    static let share = 0.1
    /// How many retries may be saved up.
    static let most = 100.0
    /// How many retries there are at first, and again after some quiet.
    static let reserve = 10.0
    /// How long it takes to earn one retry of the reserve.
    static let recovery = Duration.seconds(10)

    private var balance = reserve
    private var last = Duration.zero

    /// A call was sent for the first time.
    mutating func deposit(at now: Duration) {
        refill(now)
        balance = min(balance + Self.share, Self.most)
    }

    /// Takes a retry, if there is one.
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
