import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

/// The rules of one call. Its own options take precedence over its method's rules, and those over
/// the API's.
///
/// A rule is looked up when it is used: a copy of all of them would make up an eighth of a call's
/// memory.
struct EffectiveRules: Sendable {
    private let plan: CallPlan

    init(of plan: CallPlan) {
        self.plan = plan
    }

    private var options: CallOptions? { plan.options }
    private var endpoint: Endpoint { plan.template.endpoint }
    private var api: APIDefinition { plan.pipeline.definition }

    var timeouts: Timeouts { options?.timeouts ?? endpoint.timeouts ?? api.timeouts }
    var retry: RetryPolicy { options?.retry ?? endpoint.operation.retry ?? api.retry }
    var network: NetworkRules { options?.network ?? endpoint.operation.network }
    /// How the reply is checked.
    var validation: ReplyValidation { options?.validation ?? endpoint.validation ?? api.validation }
    /// The named queue that the call waits in; nil for none.
    var queue: String? { options?.queue ?? endpoint.operation.queue }
    var priority: CallPriority { options?.priority ?? endpoint.operation.priority }
    /// What counts as success.
    var reply: ReplyRules { endpoint.reply ?? api.reply }
    /// Where a reply contains the details of an error.
    var errors: ErrorRules { endpoint.errors ?? api.errors }
    /// The signs by which a reply reveals an expired token of the first scheme.
    var expirySigns: [AuthRules.Expiry] { endpoint.expired ?? api.auth.expired }
    /// The most bytes of a reply in memory.
    var replyBytes: Int { endpoint.operation.replyBytes ?? api.limits.bytes }
    /// How a reply in memory is parsed.
    var json: JSONLimits { api.limits.json }

    /// The connections that the call uses. A named session without rules gets the default rules.
    var session: TransportSession {
        switch options?.session ?? endpoint.session {
        case .shared: .shared
        case .ephemeral: .ephemeral
        case .named(let name): api.sessions.first { $0.name == name } ?? TransportSession(name)
        }
    }

    /// The rules of the call's cache; nil if the call neither uses nor stores replies.
    var cache: CacheRules? {
        guard plan.pipeline.cache != nil else { return nil }
        let endpoint = endpoint
        guard let rules = endpoint.operation.cache, options?.cache != .off,
            [.get, .head].contains(endpoint.method) || endpoint.operation.isSafe,
            endpoint.operation.kind == .data, endpoint.login == nil, plan.template.mayBeCached
        else { return nil }
        let session = session
        return session.isEphemeral || session.isBackground ? nil : rules
    }
}
