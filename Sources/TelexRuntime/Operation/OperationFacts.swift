/// What is known about an operation from the start.
struct OperationFacts: Sendable {
    var api = ""
    var method = ""
    var kind: OperationRules.Kind?
    var owner: OperationOwner?
    var tags: Set<String> = []
    var priority = CallPriority.normal
    /// Operations that have to succeed before this one may begin.
    var dependencies: [any OperationHandle] = []
    /// Whether it is the one request of several calls, which nobody sees but in events.
    var isShared = false
    /// Hands on what happens.
    var hub: EventHub?
}
