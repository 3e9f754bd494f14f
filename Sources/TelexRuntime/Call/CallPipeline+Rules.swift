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
        let address = try self.address(own)
        guard address.isSecure || !exposesToken(of: template, servers.place(of: own), address)
        else {
            throw Violation(
                path: "server", rule: "server",
                expected: "an https address, since the call carries a token, or a server of the "
                    + "spec",
                found: address.redacted)
        }
        return address
    }

    private func address(_ choice: ServerChoice?) throws(Violation) -> Address {
        if choice == nil, let defaultAddress { return defaultAddress }
        return try servers.address(of: choice)
    }

    /// Whether anybody on the way could read the call's token, and nobody was told: who puts such a
    /// server into a spec is warned by the compiler (RFC 6750, section 5.3).
    private func exposesToken(
        of template: RequestTemplate, _ choice: ServerChoice, _ address: Address
    ) -> Bool {
        guard case .url = choice, carriesToken(template) else { return false }
        // What goes to another origin goes without the token.
        if let whole = template.wholeAddress, !whole.hasSameOrigin(as: address) { return false }
        return !servers.knows(address)
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
