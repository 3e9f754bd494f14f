import HTTPTypes
import Synchronization

/// Finds out how far the network reached when a call has failed, at most once at a time for a host,
/// and never longer than the rules allow.
final class Diagnostician: Sendable {
    /// More hosts than this are not looked at at once: each may block a thread for long.
    private static let mostProbes = 4

    /// Whose failure, and whether it was one of trust, of which other levels say nothing.
    private struct Subject: Hashable {
        let origin: Address.Origin
        let isOfTrust: Bool
    }

    private struct Case {
        var task: Task<Diagnosis, Never>
        var start: Duration
        var isOpen = true
    }

    private let rules: DiagnosisRules
    private let probe: ReachabilityProbe?
    private let transport: any Transport
    private let clock: RuntimeClock
    private let cases = Mutex<[Subject: Case]>([:])

    init(_ rules: DiagnosisRules, _ transport: any Transport, _ clock: RuntimeClock) {
        self.rules = rules
        self.transport = transport
        self.clock = clock
        probe = rules.limit > .zero ? rules.probe ?? transport.probe : nil
    }

    /// What is known after the limit of time at the latest; nil if the failure is none of the
    /// network, or nobody can look.
    func diagnose(_ kind: TransportError.Kind, of address: Address) async -> Diagnosis? {
        let origin = address.origin
        guard let port = Int(origin.port) else { return nil }
        let known = Self.known(kind, origin.host, port)
        // A network that wants its user to log in is not trusted either.
        let mayBeCaptive = kind == .tls && rules.portal != nil
        guard known == nil || mayBeCaptive else { return known }
        guard kind.isOfNetwork, let probe else { return known }
        let subject = Subject(origin: origin, isOfTrust: kind == .tls)
        guard let task = open(subject, { await self.examine(kind, origin, port, probe) }) else {
            return known
        }
        return await value(of: task) ?? known
    }

    /// What the failure alone tells.
    private static func known(
        _ kind: TransportError.Kind, _ host: String, _ port: Int
    ) -> Diagnosis? {
        switch kind {
        case .offline: Diagnosis(host: host, port: port, reached: nil, broken: .link)
        case .tls: Diagnosis(host: host, port: port, reached: .connect, broken: .tls)
        case .truncated: Diagnosis(host: host, port: port, reached: .http, broken: nil)
        default: nil
        }
    }

    // MARK: Cases

    /// The examination that is under way or fresh; begins one if there is none.
    private func open(
        _ subject: Subject, _ examine: @escaping @Sendable () async -> Diagnosis
    ) -> Task<Diagnosis, Never>? {
        let now = clock.elapsed()
        return cases.withLock { cases in
            cases = cases.filter { $0.value.isOpen || now - $0.value.start < rules.lifetime }
            if let known = cases[subject] { return known.task }
            guard cases.count(where: \.value.isOpen) < Self.mostProbes else { return nil }
            let task = Task.detached {
                let diagnosis = await examine()
                self.cases.withLock { $0[subject]?.isOpen = false }
                return diagnosis
            }
            cases[subject] = Case(task: task, start: now)
            return task
        }
    }

    /// The diagnosis, unless it takes too long. The examination goes on then, for the next who asks.
    private func value(of task: Task<Diagnosis, Never>) async -> Diagnosis? {
        let answer = FirstAnswer()
        let deadline = clock.elapsed() + min(rules.limit, .day)
        let alarm = Task.detached { [clock] in
            try? await clock.sleep(deadline)
            answer.give(nil)
        }
        Task.detached { answer.give(await task.value) }
        defer { alarm.cancel() }
        return await answer.value
    }

    // MARK: Examination

    private func examine(
        _ kind: TransportError.Kind, _ origin: Address.Origin, _ port: Int,
        _ probe: ReachabilityProbe
    ) async -> Diagnosis {
        let (reached, broken) = await levels(kind, origin, port, probe)
        let isCaptive = reached == nil ? nil : await isCaptive()
        return Diagnosis(
            host: origin.host, port: port, reached: reached, broken: broken, isCaptive: isCaptive)
    }

    private func levels(
        _ kind: TransportError.Kind, _ origin: Address.Origin, _ port: Int,
        _ probe: ReachabilityProbe
    ) async -> (reached: Diagnosis.Level?, broken: Diagnosis.Level?) {
        if kind == .tls { return (.connect, .tls) }
        let host = origin.host.filter { $0 != "[" && $0 != "]" }
        // This very device is reached without a network.
        if !origin.isLoopback, await !probe.hasLink() { return (nil, .link) }
        guard await probe.resolves(host) else { return (.link, .name) }
        guard await probe.connects(host, port) else { return (.name, .connect) }
        // The call came as far as this in its time, or not; now the way is open.
        return (.connect, kind == .cannotConnect || kind == .nameNotFound ? nil : .http)
    }

    /// Whether somebody else answers in the place of a server whose answer is known.
    private func isCaptive() async -> Bool? {
        guard let check = rules.portal, let address = Address(check.url) else { return nil }
        let request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: address.scheme, authority: address.authority,
                path: address.target),
            timeout: rules.limit, maximumReplyBytes: 65_536, session: .ephemeral)
        guard let reply = try? await transport.send(request) else { return nil }
        guard reply.head.status.code == check.status else { return true }
        guard let expected = check.body else { return false }
        guard let body = try? await reply.body.collect(upTo: 65_536) else { return true }
        return !body.elementsEqual(expected.utf8)
    }
}

extension TransportError.Kind {
    /// Whether it may be the network's doing.
    fileprivate var isOfNetwork: Bool {
        switch self {
        case .offline, .nameNotFound, .cannotConnect, .connectionLost, .timedOut, .tls, .truncated,
            .other:
            true
        case .cancelled, .tooLarge, .invalidRequest, .unsupported: false
        }
    }
}

/// The first of several answers.
private final class FirstAnswer: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Diagnosis?, Never>)
        case given(Diagnosis?)
    }

    private let state = Mutex(State.open)

    /// To be asked once.
    var value: Diagnosis? {
        get async {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state -> Diagnosis?? in
                    if case .given(let answer) = state { return .some(answer) }
                    state = .awaited(continuation)
                    return .none
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }

    func give(_ answer: Diagnosis?) {
        let waiting = state.withLock { state -> CheckedContinuation<Diagnosis?, Never>? in
            switch state {
            case .given: return nil
            case .open:
                state = .given(answer)
                return nil
            case .awaited(let continuation):
                state = .given(answer)
                return continuation
            }
        }
        waiting?.resume(returning: answer)
    }
}
