import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport
import TelexValues

/// What has to be known of a call before its first attempt.
extension CallPlan {
    // MARK: Server

    /// The address of the call's server, or the violation if there is no such server, a value for
    /// its address is not allowed, or the token must not be sent there.
    var server: Result<Address, Violation> {
        Result { () throws(Violation) in
            let own = options?.server ?? template.endpoint.server.map { .named($0) }
            let place = try pipeline.servers.place(of: own)
            if let whole = template.wholeAddress, template.sendsSecret,
                !whole.hasSameOrigin(as: place.address)
            {
                throw Violation(
                    path: "url", rule: "server",
                    expected:
                        "an address of the API, because a parameter contains a token or a secret",
                    found: whole.redacted)
            }
            guard place.isTrusted || !sendsSecret(to: place.address) else {
                throw Violation(
                    path: "server", rule: "server",
                    expected: "an https address, because the call carries a token, or a server of "
                        + "the spec",
                    found: place.address.redacted)
            }
            return place.address
        }
    }

    /// Whether the call sends a token or a secret to its server. A request to another origin
    /// carries none.
    private func sendsSecret(to server: Address) -> Bool {
        (pipeline.carriesToken(template) || pipeline.schemes.usesFurther(template.endpoint.auth)
            || template.sendsSecret || pipeline.base.sendsSecret)
            && template.wholeAddress?.hasSameOrigin(as: server) != false
    }

    // MARK: Problems

    /// Whether the call is invalid, so that it fails before it is sent.
    var isRefused: Bool { !template.errors.isEmpty || !problems.isEmpty }

    /// The violations in the effective time-outs and in the queue, the session and the idempotency
    /// key of the call's options.
    var problems: [Violation] {
        let times = rules.timeouts.problems
        let known = pipeline.schemes.problem.map { times + [$0] } ?? times
        guard let options else { return known }
        let api = pipeline.definition
        var session: String?
        if case .named(let name) = options.session { session = name }
        return [
            api.unknown(options.queue, kind: "queue", among: api.queues.map(\.name)),
            api.unknown(session, kind: "session", among: api.sessions.compactMap(\.name)),
            template.problem(withKey: options.idempotencyKey),
        ].compactMap { $0 } + known
    }

    // MARK: Scheduling

    /// Whether the call looks for a stored reply before it asks for a turn.
    var usesCache: Bool { rules.cache != nil || options?.cache == .offline }

    /// The scheduling parameters. A call that fails before it is sent neither waits nor counts
    /// against a limit.
    var scheduling: SchedulingRequest {
        guard !isRefused else { return SchedulingRequest() }
        let timeouts = rules.timeouts
        return SchedulingRequest(
            slot: slot, retry: rules.retry, mayRepeat: template.mayRepeat,
            throttle: template.endpoint.operation.throttle.map { throttle in
                .init(name: template.identity(of: throttle.key), throttle)
            },
            attemptTimeout: timeouts.attempt, totalTimeout: timeouts.total,
            longestPause: timeouts.pause)
    }

    private var slot: SchedulingRequest.QueueSlot {
        // A request that cannot be built has no host. It fails in its first attempt.
        let server = try? server.get()
        let whole = template.wholeAddress
        var slot = SchedulingRequest.QueueSlot(
            queue: rules.queue, host: (whole ?? server)?.authority ?? "",
            priority: rules.priority, owner: options?.owner,
            rate: template.endpoint.operation.rate.map {
                .init(method: template.method, rate: $0)
            },
            schemes: awaitedSchemes,
            isOutsideAPI: whole.map { pipeline.isOutsideAPI($0, besides: server) } ?? false)
        slot.network = rules.network
        return slot
    }

    /// The schemes for whose new tokens the call waits.
    private var awaitedSchemes: [SchemeKey] {
        if template.endpoint.auth == .optional { return [] }
        let keys = pipeline.schemes.keys(template.endpoint.auth)
        return options?.credential == nil ? keys : keys.filter { $0 != .login }
    }

    // MARK: Sharing

    /// Returns the key that equal calls share, which may then share one request.
    func coalescingKey<Output>(of output: Output.Type) -> RequestCoalescer.CoalescingKey {
        RequestCoalescer.CoalescingKey(
            request: completeRequest.identity, server: options?.server,
            sendingOptions: sendingOptions, output: ObjectIdentifier(output))
    }

    /// The effective options that calls must share to be coalesced.
    private var sendingOptions: RequestCoalescer.SendingOptions {
        let (rules, options) = (rules, options)
        let timeouts = rules.timeouts
        return RequestCoalescer.SendingOptions(
            silence: timeouts.silence, attempt: timeouts.attempt, pause: timeouts.pause,
            retry: rules.retry, queue: rules.queue, network: rules.network, session: rules.session,
            credential: options?.credential, validation: rules.validation, cache: options?.cache)
    }
}

extension APIDefinition {
    /// Returns the violation of a name that the API does not have; nil for no name.
    func unknown(_ name: String?, kind what: String, among known: [String]) -> Violation? {
        guard let name, !known.contains(name) else { return nil }
        return Violation(
            path: what, rule: what,
            expected: "a \(what) of the API\(spellingHint(name, among: known))", found: "`\(name)`")
    }
}

extension CallPipeline {
    /// Whether an address is on none of the API's hosts. The API's hosts are those of the call's
    /// server, of the manager's usual server, and of the other servers in the spec.
    func isOutsideAPI(_ address: Address, besides server: Address?) -> Bool {
        let host = address.origin.host
        let own =
            [server, servers.defaultPlace?.address].compactMap { $0 } + servers.fixedAddresses
        return !own.contains { $0.origin.host == host }
    }

    /// Whether a call may carry the token of the log-in.
    func carriesToken(_ template: RequestTemplate) -> Bool {
        schemes.usesRefreshedScheme(template.endpoint.auth)
    }

    /// Whether a call sends that token, in the usual place or as a parameter.
    func sendsToken(_ template: RequestTemplate) -> Bool {
        carriesToken(template) || template.sendsToken || base.sendsToken
    }
}
