/// The pauses of all hosts, each kept until its spread is over.
struct HostPauses: Sendable {
    private var byHost: [String: HostPause] = [:]
    /// The shortest pause limit of any operation so far; shorter pauses fail no operation.
    private var shortestPauseLimit = Duration.longest
    private var random: SeededRandom

    /// - Parameter seed: The seed of the random numbers that spread the calls after a pause.
    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Records the pause limit of an operation.
    mutating func notePauseLimit(_ longest: Duration) {
        shortestPauseLimit = min(shortestPauseLimit, longest)
    }

    /// Records a pause that a host demanded.
    mutating func close(_ host: String, for time: Duration, at now: Duration) {
        forgetOver(at: now)
        byHost[host, default: HostPause()].extend(for: time, at: now)
    }

    /// Records a pause that a host advised; nil revokes it.
    mutating func advise(_ host: String, pause time: Duration?, at now: Duration) {
        guard time != nil || byHost[host] != nil else { return }
        forgetOver(at: now)
        byHost[host, default: HostPause()].advise(time, at: now)
    }

    /// Records that a host refused a call of a burst because it limits their rate.
    ///
    /// - Returns: Whether the call was sent before an earlier refusal was known.
    mutating func refuse(
        _ host: String, for time: Duration, at now: Duration, in burst: HostBurst
    ) -> Bool {
        forgetOver(at: now)
        return byHost[host, default: HostPause()].refuse(for: time, at: now, in: burst)
    }

    /// Records that a host served a call.
    mutating func noteServed(by host: String, at now: Duration) {
        guard !byHost.isEmpty else { return }
        byHost[host]?.noteServed(at: now)
    }

    private mutating func forgetOver(at now: Duration) {
        byHost = byHost.filter { $0.value.end > now }
    }

    /// When the next call to a host may go; zero without a pause.
    func opening(of host: String) -> Duration { byHost[host]?.opening ?? .zero }

    /// The end of the pause that a host demanded, if it is further away than `patience`.
    func end(of host: String, ifLongerThan patience: Duration, at now: Duration) -> Duration? {
        guard let end = byHost[host]?.demand.opening, end - now > patience else { return nil }
        return end
    }

    /// Whether a demanded pause may be too long for some operations.
    func mayExceedLimits(_ host: String, at now: Duration) -> Bool {
        end(of: host, ifLongerThan: shortestPauseLimit, at: now) != nil
    }

    /// Records that a call to a host goes; after a pause, the next one is delayed a little.
    ///
    /// - Parameter waiting: Returns the number of calls that wait for the host.
    mutating func go(to host: String, at now: Duration, waiting: () -> Int) {
        // Usually there is no pause, and the host name need not be hashed.
        guard !byHost.isEmpty, let pause = byHost[host] else { return }
        guard now < pause.end else {
            byHost[host] = nil
            return
        }
        let chance = Double.random(in: 0...1, using: &random)
        byHost[host]?.go(at: now, waiting: waiting(), chance: chance)
    }
}
