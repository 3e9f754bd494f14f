import HTTPTypes
import TelexJSON
import TelexScheduling
import TelexTransport
import TelexValues

/// Determines how far the network reached when a call has failed. It runs at most one examination
/// of the same aspect of an origin at a time, and no result is awaited longer than the rules allow.
package final class Diagnostician: Sendable {
    /// The maximum number of concurrent examinations: each may block a thread for a long time.
    private static let maximumExaminations = 4

    /// The origin whose failure is examined, and the aspect to examine.
    private struct Subject: Hashable {
        package let origin: Address.Origin
        let aspect: Symptom.Aspect
    }

    private struct Case {
        package var task: Task<Diagnosis?, Never>
        package var start: Duration
        package var isOpen = true
    }

    private let rules: DiagnosisRules
    private let probe: ReachabilityProbe?
    private let transport: any Transport
    private let clock: RuntimeClock
    private let cases = Lock<[Subject: Case]>([:])

    package init(_ rules: DiagnosisRules, transport: any Transport, clock: RuntimeClock) {
        self.rules = rules
        self.transport = transport
        self.clock = clock
        probe = rules.limit > .zero ? rules.probe ?? transport.probe : nil
    }

    /// Whether a probe is available.
    package var canDiagnose: Bool { probe != nil }

    /// Whether a portal check is available.
    package var canFindPortals: Bool { rules.limit > .zero && rules.portal != nil }

    /// Whether a symptom may be the network's fault and can be examined.
    package func canExplain(_ symptom: Symptom) -> Bool {
        switch symptom {
        case .failure(let kind): kind.mayBeOfNetwork
        case .suspectReply: canFindPortals
        case .loginRequired: true
        }
    }

    /// Returns the diagnosis that is available within the time limit; `nil` if the symptom does not
    /// concern the network, or if nothing can be determined.
    ///
    /// - Parameter hold: The maximum time to wait for the diagnosis, if that is less than the rules
    ///   allow.
    package func diagnose(_ diagnosisRequest: DiagnosisRequest, within hold: Duration) async
        -> Diagnosis?
    {
        var diagnosis = await diagnose(
            diagnosisRequest.symptom, of: diagnosisRequest.address, within: hold)
        if let shown = diagnosisRequest.redactedHost { diagnosis?.host = shown }
        return diagnosis
    }

    private func diagnose(
        _ symptom: Symptom, of address: Address, within hold: Duration
    ) async -> Diagnosis? {
        let origin = address.origin
        guard let port = Int(origin.port) else { return nil }
        let known = Self.known(symptom, origin: origin, port: port)
        guard let examination = examination(of: symptom, origin: origin, port: port, known: known),
            let aspect = symptom.aspect,
            let task = open(Subject(origin: origin, aspect: aspect), examination)
        else { return known }
        return await value(of: task, within: min(hold, rules.limit)) ?? known
    }

    /// Returns the diagnosis that follows from the symptom alone.
    private static func known(
        _ symptom: Symptom, origin: Address.Origin, port: Int
    ) -> Diagnosis? {
        let host = origin.host
        return switch symptom {
        case .failure(.offline): Diagnosis(host: host, port: port, reached: nil, broken: .link)
        case .failure(.tls): Diagnosis(host: host, port: port, reached: .connect, broken: .tls)
        case .failure(.truncated): Diagnosis(host: host, port: port, reached: .http, broken: nil)
        case .loginRequired: captive(origin, port)
        default: nil
        }
    }

    /// Returns the diagnosis of a captive portal.
    private static func captive(_ origin: Address.Origin, _ port: Int) -> Diagnosis {
        Diagnosis(
            host: origin.host, port: port, reached: origin.scheme == "https" ? .tls : .connect,
            broken: .http, isCaptive: true)
    }

    // MARK: Cases

    /// Returns the examination that is running or recent; otherwise starts one. `nil` if too many
    /// are running.
    private func open(
        _ subject: Subject, _ examine: @escaping Examination
    ) -> Task<Diagnosis?, Never>? {
        let now = clock.elapsed()
        return cases.withLock { cases in
            cases = cases.filter { $0.value.isOpen || now - $0.value.start < rules.lifetime }
            if let known = cases[subject] { return known.task }
            guard cases.count(where: \.value.isOpen) < Self.maximumExaminations else { return nil }
            let task = Task.detached {
                let diagnosis = await examine()
                self.cases.withLock { $0[subject]?.isOpen = false }
                return diagnosis
            }
            cases[subject] = Case(task: task, start: now)
            return task
        }
    }

    /// Returns the diagnosis, or `nil` after `hold`. The examination then continues, so that a
    /// later call can use its result.
    private func value(
        of task: Task<Diagnosis?, Never>, within hold: Duration
    ) async -> Diagnosis? {
        let answer = PendingDiagnosis()
        let deadline = clock.elapsed().later(by: min(hold, .day))
        let alarm = Task.detached { [clock] in
            try? await clock.sleep(deadline)
            answer.send(nil)
        }
        Task.detached { answer.send(await task.value) }
        defer { alarm.cancel() }
        return await answer.value
    }

    // MARK: Examination

    private typealias Examination = @Sendable () async -> Diagnosis?

    /// Returns the examination for a symptom; `nil` if no probe is available, or if the known
    /// diagnosis is complete.
    private func examination(
        of symptom: Symptom, origin: Address.Origin, port: Int, known: Diagnosis?
    ) -> Examination? {
        switch symptom {
        case .failure(let kind):
            // A captive portal fails the TLS handshake, too.
            let mayBeCaptive = kind == .tls && canFindPortals
            guard let probe, known == nil || mayBeCaptive else { return nil }
            return { await self.examine(kind, origin: origin, port: port, with: probe) }
        case .suspectReply:
            guard canFindPortals else { return nil }
            // A malformed reply of the server itself is not the network's fault.
            return { await self.isCaptive() == true ? Self.captive(origin, port) : nil }
        case .loginRequired: return nil
        }
    }

    private func examine(
        _ kind: TransportError.Kind, origin: Address.Origin, port: Int,
        with probe: ReachabilityProbe
    ) async -> Diagnosis? {
        let (reached, broken) = await levels(after: kind, origin: origin, port: port, with: probe)
        let isCaptive = reached == nil ? nil : await isCaptive()
        return Diagnosis(
            host: origin.host, port: port, reached: reached, broken: broken, isCaptive: isCaptive)
    }

    private func levels(
        after kind: TransportError.Kind, origin: Address.Origin, port: Int,
        with probe: ReachabilityProbe
    ) async -> (reached: Diagnosis.Level?, broken: Diagnosis.Level?) {
        if kind == .tls { return (.connect, .tls) }
        let host = origin.host.filter { $0 != "[" && $0 != "]" }
        // The loopback address is reachable without a network.
        if !origin.isLoopback, await !probe.hasLink() { return (nil, .link) }
        guard await probe.resolves(host) else { return (.link, .name) }
        guard await probe.connects(host, port) else { return (.name, .connect) }
        // The call may have failed below this level earlier; now the connection succeeds.
        return (.connect, kind == .cannotConnect || kind == .nameNotFound ? nil : .http)
    }

    /// Whether a captive portal replies in place of the server of the portal check; `nil` if there
    /// is no check or no reply.
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
