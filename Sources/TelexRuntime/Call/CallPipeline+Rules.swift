import TelexJSON
import TelexScheduling
import TelexTransport

/// The effective rules of a call. Its own options take precedence over its method's rules, and
/// those over the API's.
extension CallPipeline {
    /// Returns the address of the call's server.
    ///
    /// - Throws: A violation if there is no such server, a value for its address is not allowed, or
    ///   the token must not be sent there.
    func address(
        for template: RequestTemplate, _ overrides: CallOverrides?
    ) throws(Violation) -> Address {
        let own = overrides?.options.server ?? template.endpoint.server.map { .named($0) }
        let place = try servers.place(of: own)
        if let whole = template.wholeAddress, template.sendsSecret,
            !whole.hasSameOrigin(as: place.address)
        {
            throw Violation(
                path: "url", rule: "server",
                expected: "an address of the API, because a parameter contains a token or a secret",
                found: whole.redacted)
        }
        guard place.isTrusted || !sendsToken(template, to: place.address) else {
            throw Violation(
                path: "server", rule: "server",
                expected: "an https address, because the call carries a token, or a server of the "
                    + "spec",
                found: place.address.redacted)
        }
        return place.address
    }

    /// Whether the call sends a token or a secret to its server. A request to another origin
    /// carries none.
    private func sendsToken(_ template: RequestTemplate, to server: Address) -> Bool {
        (carriesToken(template) || schemes.usesFurther(template.endpoint.auth)
            || template.sendsSecret
            || base.sendsSecret) && template.wholeAddress?.hasSameOrigin(as: server) != false
    }

    /// The violations in the effective time-outs and in the queue, the session and the idempotency
    /// key of the call's options.
    func problems(with overrides: CallOverrides?, for template: RequestTemplate) -> [Violation] {
        let times = timeouts(of: template, overrides).problems
        let known = schemes.problem.map { times + [$0] } ?? times
        guard let options = overrides?.options else { return known }
        var session: String?
        if case .named(let name) = options.session { session = name }
        return [
            unknown(options.queue, kind: "queue", among: definition.queues.map(\.name)),
            unknown(session, kind: "session", among: definition.sessions.compactMap(\.name)),
            template.problem(withKey: options.idempotencyKey),
        ].compactMap { $0 } + known
    }

    func unknown(_ name: String?, kind what: String, among known: [String]) -> Violation? {
        guard let name, !known.contains(name) else { return nil }
        return Violation(
            path: what, rule: what,
            expected: "a \(what) of the API\(spellingHint(name, among: known))", found: "`\(name)`")
    }

    func queue(of template: RequestTemplate, _ overrides: CallOverrides?) -> String? {
        overrides?.options.queue ?? template.endpoint.operation.queue
    }

    func priority(of template: RequestTemplate, _ overrides: CallOverrides?) -> CallPriority {
        overrides?.options.priority ?? template.endpoint.operation.priority
    }

    func timeouts(of template: RequestTemplate, _ overrides: CallOverrides?) -> Timeouts {
        overrides?.options.timeouts ?? template.endpoint.timeouts ?? definition.timeouts
    }

    func retryPolicy(of template: RequestTemplate, _ overrides: CallOverrides?) -> RetryPolicy {
        overrides?.options.retry ?? template.endpoint.operation.retry ?? definition.retry
    }

    func network(of template: RequestTemplate, _ overrides: CallOverrides?) -> NetworkRules {
        overrides?.options.network ?? template.endpoint.operation.network
    }

    func validation(of template: RequestTemplate, _ overrides: CallOverrides?) -> ReplyValidation {
        overrides?.options.validation ?? template.endpoint.validation ?? definition.validation
    }

    /// Returns the connections that the call uses. A named session without rules gets the default
    /// rules.
    func session(of template: RequestTemplate, _ overrides: CallOverrides?) -> TransportSession {
        switch overrides?.options.session ?? template.endpoint.session {
        case .shared: .shared
        case .ephemeral: .ephemeral
        case .named(let name):
            definition.sessions.first { $0.name == name } ?? TransportSession(name)
        }
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
