/// The pauses of all hosts that asked to be left alone, until all who waited for them had time to come
/// back.
struct HostPauses: Sendable {
    private var byHost: [String: HostPause] = [:]
    /// The shortest pause that any operation so far would not wait for: shorter ones concern nobody.
    private var leastPatience = Duration.longest
    private var random: SeededRandom

    /// - Parameter seed: Where the random numbers begin that keep those apart who waited for a host.
    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// There is an operation that waits for no longer pause than this.
    mutating func notePatience(_ longest: Duration) {
        leastPatience = min(leastPatience, longest)
    }

    /// A host demands to be left alone for so long.
    mutating func close(_ host: String, for time: Duration, at now: Duration) {
        forgetOver(at: now)
        byHost[host, default: HostPause()].extend(for: time, at: now)
    }

    /// A host advises to leave it alone for so long; nil if it no longer does.
    mutating func advise(_ host: String, _ time: Duration?, at now: Duration) {
        guard time != nil || byHost[host] != nil else { return }
        forgetOver(at: now)
        byHost[host, default: HostPause()].advise(time, at: now)
    }

    private mutating func forgetOver(at now: Duration) {
        byHost = byHost.filter { $0.value.end > now }
    }

    /// When somebody may go to a host; zero if it has asked for nothing.
    func opening(of host: String) -> Duration { byHost[host]?.opening ?? .zero }

    /// When the pause is over that a host demands, if from now on it is longer than this.
    func end(of host: String, ifLongerThan patience: Duration, at now: Duration) -> Duration? {
        guard let end = byHost[host]?.demand.opening, end - now > patience else { return nil }
        return end
    }

    /// Whether there may be operations that do not wait for as long as a host demands.
    func isTooLongForSome(_ host: String, at now: Duration) -> Bool {
        end(of: host, ifLongerThan: leastPatience, at: now) != nil
    }

    /// Somebody goes to a host; if it has been closed, the next one goes a little later.
    ///
    /// - Parameter waiting: How many wait for it.
    mutating func go(to host: String, at now: Duration, waiting: () -> Int) {
        // Almost always there is none, and not even the name of the host is looked at.
        guard !byHost.isEmpty, let pause = byHost[host] else { return }
        guard now < pause.end else {
            byHost[host] = nil
            return
        }
        let chance = Double.random(in: 0...1, using: &random)
        byHost[host]?.go(at: now, waiting: waiting(), chance: chance)
    }
}
