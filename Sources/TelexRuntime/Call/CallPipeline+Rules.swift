import TelexJSON

/// What holds for a call: its own options win over its method's rules, and those over the API's.
extension CallPipeline {
    /// Where it goes, if the caller does not give the whole address.
    ///
    /// - Throws: A violation if there is no such server, or a value for its address is not allowed.
    func address(
        for template: RequestTemplate, _ wishes: CallWishes?
    ) throws(Violation) -> Address {
        let choice = wishes?.options.server ?? template.endpoint.server.map { .named($0) }
        if choice == nil, let defaultAddress { return defaultAddress }
        return try (choice ?? server).address(among: definition.servers)
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

    func carriesToken(_ template: RequestTemplate) -> Bool {
        definition.auth.token != nil && template.endpoint.auth == .required
    }
}
