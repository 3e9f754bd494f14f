import TelexRequests
import TelexScheduling

/// The constant properties of an operation. A class, and one instance for all calls of a method
/// without options of their own, because up to 100,000 operations may wait.
final class OperationAttributes: Sendable {
    let api: String
    let method: String
    let kind: OperationRules.Kind?
    let owner: OperationOwner?
    let tags: Set<String>
    let priority: CallPriority
    let queue: String?
    /// The throttle, also of the request that it shares.
    let throttle: SchedulingRequest.ThrottleKey?
    /// The operations that have to succeed first.
    let prerequisites: Prerequisites?
    /// Whether it is a request that several calls share, visible only in events.
    let isShared: Bool
    /// Delivers events to the listeners.
    let hub: EventHub?
    /// Whether its requests carry a token.
    let sendsToken: Bool
    /// The scheduling parameters.
    let scheduling: SchedulingRequest

    /// The attributes of an operation of a fake.
    static let none = OperationAttributes()

    init(
        api: String = "", method: String = "", kind: OperationRules.Kind? = nil,
        owner: OperationOwner? = nil, tags: Set<String> = [], priority: CallPriority = .normal,
        queue: String? = nil, throttle: SchedulingRequest.ThrottleKey? = nil,
        prerequisites: Prerequisites? = nil, isShared: Bool = false,
        hub: EventHub? = nil, sendsToken: Bool = false,
        scheduling: SchedulingRequest = SchedulingRequest()
    ) {
        self.api = api
        self.method = method
        self.kind = kind
        self.owner = owner
        self.tags = tags
        self.priority = priority
        self.queue = queue ?? scheduling.slot?.queue
        self.throttle = throttle ?? scheduling.throttle
        self.prerequisites = prerequisites
        self.isShared = isShared
        self.hub = hub
        self.sendsToken = sendsToken
        self.scheduling = scheduling
    }

    /// Returns the error for an operation that the engine ended; for a call it is an `APIError`.
    func error(
        for failure: EngineFailure, snapshot: FailureSnapshot, engine: Engine
    ) -> any Error {
        guard kind != nil else { return OperationError(failure, of: method, engine) }
        var error = APIError(failure, of: self, snapshot: snapshot, engine: engine)
        error.api = api
        error.attempts = snapshot.count
        return error
    }
}
