extension CallPipeline {
    /// What the engine has to know about a call.
    func ticket(for template: RequestTemplate, _ wishes: CallWishes?) -> Ticket {
        // What will be refused before it is sent waits for nobody, and counts against no limit.
        guard !refuses(template, wishes) else { return Ticket() }
        let rules = template.endpoint.operation
        let timeouts = timeouts(of: template, wishes)
        return Ticket(
            seat: seat(for: template, wishes), retry: retryPolicy(of: template, wishes),
            mayRepeat: template.mayRepeat,
            throttle: rules.throttle.map { throttle in
                .init(
                    name: template.identity(of: throttle.key), interval: throttle.interval,
                    policy: throttle.policy)
            },
            attemptTimeout: timeouts.attempt, totalTimeout: timeouts.total,
            longestPause: timeouts.pause)
    }

    /// Whether a call will be refused before it is sent.
    func refuses(_ template: RequestTemplate, _ wishes: CallWishes?) -> Bool {
        !template.errors.isEmpty || !problems(with: wishes, for: template).isEmpty
    }

    private func seat(for template: RequestTemplate, _ wishes: CallWishes?) -> Ticket.Seat {
        let rules = template.endpoint.operation
        // A request that cannot be built has no host; it fails in its first attempt.
        let server = try? address(for: template, wishes)
        let whole = template.wholeAddress
        return Ticket.Seat(
            queue: queue(of: template, wishes), host: (whole ?? server)?.authority ?? "",
            priority: priority(of: template, wishes), owner: wishes?.options.owner,
            rate: rules.rate.map { .init(method: template.method, rate: $0) },
            usesCredential: carriesToken(template),
            isForeign: whole.map { isForeign($0, besides: server) } ?? false)
    }

    /// Whether an address is on none of the API's hosts: neither that of the server which the call would
    /// go to, nor that of the one which the API's calls go to, nor that of another in the spec.
    func isForeign(_ address: Address, besides server: Address?) -> Bool {
        let host = address.origin.host
        let own = [server, servers.usual?.address].compactMap { $0 } + servers.known
        return !own.contains { $0.origin.host == host }
    }
}
