import TelexCredentials
import TelexJSON
import TelexRequests

/// Logs in with the credential in a reply, if the method declares that it has one.
struct LoginFeature: CallFeature {
    func concerns(_ plan: CallPlan) -> Bool { plan.template.endpoint.login != nil }

    nonisolated(nonsending) func answer(
        to call: Call, _ next: NextFeature
    ) async throws(APIError) -> CallAnswer {
        let answer = try await next.answer()
        try await logIn(with: answer.reply, of: call)
        return answer
    }

    nonisolated(nonsending) private func logIn(
        with reply: Reply, of call: Call
    ) async throws(APIError) {
        guard let login = call.template.endpoint.login, let context = call.context else { return }
        let credential: Credential
        do throws(Violation) {
            credential = try login.credential(
                in: reply.body, under: call.replyRules.unwrap, limits: call.rules.json,
                at: call.pipeline.clock.now())
        } catch {
            throw call.failure(
                in: .map, reason: .unexpectedReply, violations: [error], at: reply)
        }
        do {
            try await call.pipeline.logIn(credential, on: context.handle.engine)
        } catch {
            throw call.failure(in: .auth, reason: .credentialStore(error))
        }
    }
}
