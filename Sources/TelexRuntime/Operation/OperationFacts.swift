/// What is known about an operation from the start. A reference, and the same one for all calls of a
/// method that want nothing special, because there may be a hundred thousand operations that wait.
final class OperationFacts: Sendable {
    let api: String
    let method: String
    let kind: OperationRules.Kind?
    let owner: OperationOwner?
    let tags: Set<String>
    let priority: CallPriority
    let queue: String?
    /// What has to succeed before this one may begin.
    let prerequisites: Prerequisites?
    /// Whether it is the one request of several calls, which nobody sees but in events.
    let isShared: Bool
    /// Hands on what happens.
    let hub: EventHub?
    /// Whether its requests show a token.
    let showsToken: Bool
    /// What the engine has to know.
    let scheduling: SchedulingRequest

    /// What is known of an operation of which nothing is said: one of a fake.
    static let none = OperationFacts()

    init(
        api: String = "", method: String = "", kind: OperationRules.Kind? = nil,
        owner: OperationOwner? = nil, tags: Set<String> = [], priority: CallPriority = .normal,
        queue: String? = nil, prerequisites: Prerequisites? = nil, isShared: Bool = false,
        hub: EventHub? = nil, showsToken: Bool = false,
        scheduling: SchedulingRequest = SchedulingRequest()
    ) {
        self.api = api
        self.method = method
        self.kind = kind
        self.owner = owner
        self.tags = tags
        self.priority = priority
        self.queue = queue ?? scheduling.slot?.queue
        self.prerequisites = prerequisites
        self.isShared = isShared
        self.hub = hub
        self.showsToken = showsToken
        self.scheduling = scheduling
    }

    /// Why the engine ended the operation: of a call, in the API's words.
    func error(
        _ failure: EngineFailure, _ snapshot: FailureSnapshot, _ engine: Engine
    ) -> any Error {
        guard kind != nil else { return OperationError(failure, of: method) }
        var error = APIError(failure, of: self, snapshot, engine)
        error.api = api
        error.attempts = snapshot.count
        return error
    }
}
