import TelexJSON

/// What holds for a call: its own options win over its method's rules, and those over the API's.
extension CallPipeline {
    /// Where it goes, if the caller does not give the whole address.
    ///
    /// - Throws: A violation if there is no such server, a value for its address is not allowed, or
    ///   the token must not go there.
    func address(
        for template: RequestTemplate, _ overrides: CallOverrides?
    ) throws(Violation) -> Address {
        let own = overrides?.options.server ?? template.endpoint.server.map { .named($0) }
        let place = try servers.place(of: own)
        if let whole = template.wholeAddress, template.showsToken,
            !whole.hasSameOrigin(as: place.address)
        {
            throw Violation(
                path: "url", rule: "server",
                expected: "an address of the API, since a parameter is the token",
                found: whole.redacted)
        }
        guard place.isTrusted || !showsToken(template, to: place.address) else {
            throw Violation(
                path: "server", rule: "server",
                expected: "an https address, since the call carries a token, or a server of the "
                    + "spec",
                found: place.address.redacted)
        }
        return place.address
    }

    /// Whether the call's token goes to its server: what goes to another origin goes without.
    private func showsToken(_ template: RequestTemplate, to server: Address) -> Bool {
        showsToken(template) && template.wholeAddress?.hasSameOrigin(as: server) != false
    }

    /// What is wrong with the times that hold, and with the queue, the session and the key that the
    /// caller gives.
    func problems(with overrides: CallOverrides?, for template: RequestTemplate) -> [Violation] {
        let times = timeouts(of: template, overrides).problems
        guard let options = overrides?.options else { return times }
        var session: String?
        if case .named(let name) = options.session { session = name }
        return [
            unknown(options.queue, "queue", among: definition.queues.map(\.name)),
            unknown(session, "session", among: definition.sessions.compactMap(\.name)),
            template.problem(withKey: options.idempotencyKey),
        ].compactMap { $0 } + times
    }

    private func unknown(_ name: String?, _ what: String, among known: [String]) -> Violation? {
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

    /// Which connections it may use. A session without rules is like any other.
    func session(of template: RequestTemplate, _ overrides: CallOverrides?) -> TransportSession {
        switch overrides?.options.session ?? template.endpoint.session {
        case .shared: .shared
        case .ephemeral: .ephemeral
        case .named(let name):
            definition.sessions.first { $0.name == name } ?? TransportSession(name)
        }
    }

    func carriesToken(_ template: RequestTemplate) -> Bool {
        definition.auth.token != nil && template.endpoint.auth == .required
    }

    /// Whether a call shows a token: in its place, or as a parameter.
    func showsToken(_ template: RequestTemplate) -> Bool {
        carriesToken(template) || template.showsToken || base.showsToken
    }
}
