import TelexJSON

/// What holds for a call: its own options win over its method's rules, and those over the API's.
extension CallPipeline {
    /// Where it goes, if the caller does not give the whole address.
    ///
    /// - Throws: A violation if there is no such server, a value for its address is not allowed, or
    ///   the token must not go there.
    func address(
        for template: RequestTemplate, _ wishes: CallWishes?
    ) throws(Violation) -> Address {
        let own = wishes?.options.server ?? template.endpoint.server.map { .named($0) }
        let place = try servers.place(of: own)
        guard place.isTrusted || !carriesToken(template, to: place.address) else {
            throw Violation(
                path: "server", rule: "server",
                expected: "an https address, since the call carries a token, or a server of the "
                    + "spec",
                found: place.address.redacted)
        }
        return place.address
    }

    /// Whether the call's token goes to its server: what goes to another origin goes without.
    private func carriesToken(_ template: RequestTemplate, to server: Address) -> Bool {
        carriesToken(template) && template.wholeAddress?.hasSameOrigin(as: server) != false
    }

    /// What is wrong with the queue that the caller names, if anything is.
    func queueProblem(_ wishes: CallWishes?) -> Violation? {
        guard let name = wishes?.options.queue else { return nil }
        let queues = definition.queues.map(\.name)
        guard !queues.contains(name) else { return nil }
        return Violation(
            path: "queue", rule: "queue",
            expected: "a queue of the API\(spellingHint(name, among: queues))",
            found: "`\(name)`")
    }

    func queue(of template: RequestTemplate, _ wishes: CallWishes?) -> String? {
        wishes?.options.queue ?? template.endpoint.operation.queue
    }

    func priority(of template: RequestTemplate, _ wishes: CallWishes?) -> CallPriority {
        wishes?.options.priority ?? template.endpoint.operation.priority
    }

    func timeouts(of template: RequestTemplate, _ wishes: CallWishes?) -> Timeouts {
        wishes?.options.timeouts ?? template.endpoint.timeouts ?? definition.timeouts
    }

    func retryPolicy(of template: RequestTemplate, _ wishes: CallWishes?) -> RetryPolicy {
        wishes?.options.retry ?? template.endpoint.operation.retry ?? definition.retry
    }

    /// Which connections calls of a session may use. One without rules is like any other.
    func session(_ session: Endpoint.Session) -> TransportSession {
        switch session {
        case .shared: .shared
        case .ephemeral: .ephemeral
        case .named(let name):
            definition.sessions.first { $0.name == name } ?? TransportSession(name)
        }
    }

    func carriesToken(_ template: RequestTemplate) -> Bool {
        definition.auth.token != nil && template.endpoint.auth == .required
    }
}
