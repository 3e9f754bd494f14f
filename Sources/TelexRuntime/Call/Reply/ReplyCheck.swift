import HTTPTypes
import TelexDownloads
import TelexJSON
import TelexRequests
import TelexTransport

/// A condition of every complete reply, examined before the reply is mapped.
protocol ReplyCheck: Sendable {
    /// Throws the failure of the call if the reply does not fulfil the condition.
    func examine(_ reply: Reply, of call: Call) throws(APIError)
}

/// All conditions, in the order in which they are examined.
let replyChecks: [any ReplyCheck] = [
    StatusCheck(), WaitCheck(), MediaTypeCheck(), FinalStateCheck(),
]

/// The status counts as success, and the reply is whole.
struct StatusCheck: ReplyCheck {
    func examine(_ reply: Reply, of call: Call) throws(APIError) {
        if !call.replyRules.allows(status: reply.status) || isUnrequestedPart(reply, call) {
            throw call.refusal(of: reply, reason: .status(reply.status))
        }
    }

    /// Whether the reply is a partial one (206) that the call did not request (RFC 9110, section
    /// 15.3.7).
    private func isUnrequestedPart(_ reply: Reply, _ call: Call) -> Bool {
        guard reply.status == 206, !call.replyRules.names(status: 206), !call.template.asksForPart
        else { return false }
        let range = reply.head.headerFields[.contentRange].flatMap(ContentRange.init)
        return range?.isWhole != true
    }
}

/// A reply that counts as success although its status asks to wait pauses its host.
struct WaitCheck: ReplyCheck {
    func examine(_ reply: Reply, of call: Call) throws(APIError) {
        if reply.head.isBusy { _ = call.applyServerWait(in: reply) }
    }
}

/// The media type of a body is one that the method accepts.
struct MediaTypeCheck: ReplyCheck {
    func examine(_ reply: Reply, of call: Call) throws(APIError) {
        guard !reply.body.isEmpty else { return }
        let (fields, types) = (reply.head.headerFields, call.replyRules.accepts)
        guard !types.isEmpty, !fields.hasType(among: types) else { return }
        // A refusal in the body is more specific.
        try call.judgeBody(reply)
        let violation = Violation(
            path: "Content-Type", check: .types, rule: "accepts",
            expected: types.joined(separator: " or "), found: fields.mediaType ?? "no media type")
        throw call.failure(
            in: .map, reason: .unexpectedReply, violations: [violation], at: reply)
    }
}

/// A call that is polled has the final state.
struct FinalStateCheck: ReplyCheck {
    func examine(_ reply: Reply, of call: Call) throws(APIError) {
        guard let polling = call.template.endpoint.operation.until else { return }
        // A refusal in the body is more specific.
        if !reply.body.isEmpty { try call.judgeBody(reply) }
        let limits = call.rules.json
        let missing = polling.conditions.compactMap { $0.violation(in: reply.body, limits: limits) }
        guard !missing.isEmpty else { return }
        let hasFailed = polling.failures.contains {
            $0.violation(in: reply.body, limits: limits) == nil
        }
        var error = call.failure(
            in: .status, reason: hasFailed ? .failedState : .pending, violations: missing,
            at: reply)
        error.retryAfter = call.wait(in: reply.head)
        throw error
    }
}
