import TelexScheduling
import TelexTransport

extension CallPipeline {
    /// Returns the scheduling parameters of a call.
    func scheduling(for template: RequestTemplate, _ overrides: CallOverrides?) -> SchedulingRequest
    {
        // A call that fails before it is sent neither waits nor counts against a limit.
        guard !refuses(template, overrides) else { return SchedulingRequest() }
        let rules = template.endpoint.operation
        let timeouts = timeouts(of: template, overrides)
        return SchedulingRequest(
            slot: slot(for: template, overrides), retry: retryPolicy(of: template, overrides),
            mayRepeat: template.mayRepeat,
            throttle: rules.throttle.map { throttle in
                .init(name: template.identity(of: throttle.key), throttle)
            },
            attemptTimeout: timeouts.attempt, totalTimeout: timeouts.total,
            longestPause: timeouts.pause)
    }

    /// Whether a call is invalid, so that it fails before it is sent.
    func refuses(_ template: RequestTemplate, _ overrides: CallOverrides?) -> Bool {
        !template.errors.isEmpty || !problems(with: overrides, for: template).isEmpty
    }

    private func slot(for template: RequestTemplate, _ overrides: CallOverrides?)
        -> SchedulingRequest.QueueSlot
    {
        let rules = template.endpoint.operation
        // A request that cannot be built has no host. It fails in its first attempt.
        let server = try? address(for: template, overrides)
        let whole = template.wholeAddress
        var slot = SchedulingRequest.QueueSlot(
            queue: queue(of: template, overrides), host: (whole ?? server)?.authority ?? "",
            priority: priority(of: template, overrides), owner: overrides?.options.owner,
            rate: rules.rate.map { .init(method: template.method, rate: $0) },
            schemes: awaitedSchemes(template, overrides),
            isOutsideAPI: whole.map { isOutsideAPI($0, besides: server) } ?? false)
        slot.network = network(of: template, overrides)
        return slot
    }

    /// The schemes for whose new tokens a call waits.
    private func awaitedSchemes(
        _ template: RequestTemplate, _ overrides: CallOverrides?
    ) -> [SchemeKey] {
        if template.endpoint.auth == .optional { return [] }
        let keys = schemes.keys(template.endpoint.auth)
        return overrides?.options.credential == nil ? keys : keys.filter { $0 != .login }
    }

    /// Whether an address is on none of the API's hosts. The API's hosts are those of the call's
    /// server, of the manager's usual server, and of the other servers in the spec.
    func isOutsideAPI(_ address: Address, besides server: Address?) -> Bool {
        let host = address.origin.host
        let own =
            [server, servers.defaultPlace?.address].compactMap { $0 } + servers.fixedAddresses
        return !own.contains { $0.origin.host == host }
    }
}
