import TelexJSON
import TelexRequests
import TelexTemplates

/// Checks replies with the templates of the description.
struct DeclaredTemplateFeature: CallFeature {
    let templates: APITemplates

    func concerns(_ plan: CallPlan) -> Bool { templates.check(of: plan.template.method) != nil }

    func check(
        _ reply: Reply, _ reading: ReplyReading, of call: Call,
        into report: inout ValidationReport
    ) {
        guard let template = templates.check(of: call.template.method) else { return }
        report.add(
            template.validate(reply.body, checks: reading.checks, limits: reading.limits),
            hiding: call.tokenKeys)
    }
}

/// Checks replies with the templates of a store, and records them.
struct TemplateFeature: CallFeature {
    let templates: TemplateUse

    func check(
        _ reply: Reply, _ reading: ReplyReading, of call: Call,
        into report: inout ValidationReport
    ) {
        report.add(
            templates.report(
                on: reply.body, of: call.template.method, checks: reading.checks,
                limits: reading.limits
            ) { self.report($0, of: call) },
            hiding: call.tokenKeys)
    }

    nonisolated(nonsending) func answer(
        to call: Call, _ next: NextFeature
    ) async throws(APIError) -> CallAnswer {
        let answer = try await next.answer()
        await record(answer.reply, of: call)
        return answer
    }

    /// Records the reply of a successful call as a template.
    nonisolated(nonsending) private func record(_ reply: Reply, of call: Call) async {
        guard call.rules.validation.mode != .off, !reply.body.isEmpty,
            let mode = templates.recording,
            case .json = call.request.expected.kind(of: reply.status)
        else { return }
        let secrets = call.request.sensitiveKeys(
            in: reply, at: call.replyRules.unwrap, limits: call.rules.json
        )?.union(call.tokenKeys)
        let problem = await templates.record(
            reply.body, of: call.template.method, mode: mode, secrets: secrets
        ) { report($0, of: call) }
        if let problem { call.warn(of: [problem]) }
    }

    /// Prints why a template cannot be used, without secrets.
    private func report(_ fault: String, of call: Call) {
        guard let attributes = call.context?.handle.attributes else { return }
        let text = call.replyRedactor.redact(fault)
        attributes.hub?.faults.report(
            "\(text) (template of `\(call.template.method)`)", in: attributes.api)
    }
}
