import HTTPTypes
import TelexJSON
import TelexRequests
import TelexTransport
import TelexValues

/// Judges replies and maps them.
extension Call {
    /// Returns the value of a reply.
    ///
    /// - Throws: The server's refusal, or an error of validation or mapping.
    @inline(never)
    func value(in answer: Reply) throws(APIError) -> AnyProduct {
        for check in replyChecks { try check.examine(answer, of: self) }
        if answer.body.isEmpty, case .json = request.expected.kind(of: answer.status) {
            return try valueWithoutContent(in: answer)
        }
        return try judgedValue(in: answer)
    }

    /// Maps an empty body to null, if the value may be null and no rule requires a key.
    private func valueWithoutContent(in answer: Reply) throws(APIError) -> AnyProduct {
        let null = request.decode(
            Reply(head: answer.head, body: Array("null".utf8), address: answer.address),
            ReplyReading(limits: rules.json))
        let isWhole =
            !replyRules.requiresKeys || ReplyRules.statusesWithoutBody.contains(answer.status)
        guard isWhole, null.report.isValid, let value = null.product else {
            throw failure(in: .map, reason: .emptyReply, at: answer)
        }
        note(null.report.skipped)
        return value
    }

    /// Returns the value of a reply or of one stream element, after checking its keys and code.
    @inline(never)
    func judgedValue(in answer: Reply) throws(APIError) -> AnyProduct {
        let validation = pipeline.sampled(rules.validation)
        let result = decode(answer, validation)
        // The key search is skipped where possible, because it can take as long as mapping the
        // value.
        if !result.isOnlyMember || !replyRules.allowsBareValue { try judgeKeys(answer) }
        if !result.isOnlyMember || mayHaveCodeNextToValue { try judgeCode(answer) }
        return try value(of: result, answer, validation.mode)
    }

    /// Checks the keys and the code in the body.
    ///
    /// - Throws: The server's refusal, if the body contains one.
    func judgeBody(_ answer: Reply) throws(APIError) {
        try judgeKeys(answer)
        try judgeCode(answer)
    }

    /// Whether a body can contain a refusal.
    var judgesBodies: Bool { replyRules.hasKeyRules || checksCodes }

    private func judgeCode(_ answer: Reply) throws(APIError) {
        if declaredCode(in: answer) != nil { throw refusal(of: answer, reason: .refused) }
    }

    /// Checks the body against the key rules.
    ///
    /// - Throws: The server's refusal, if a rule is violated.
    @inline(never)
    private func judgeKeys(_ answer: Reply) throws(APIError) {
        guard !answer.body.isEmpty else { return }
        let limits = rules.json
        guard
            let violation = replyRules.violation(
                in: answer.body, limits: limits, callID: template.callID)
        else {
            return try judgeSyntax(answer)
        }
        // A body that is not JSON has no keys. The mapper reports it if a JSON value is expected,
        // and raw bytes may be anything.
        if violation.rule != "absent", !request.expected.kind(of: answer.status).isNothing,
            JSONReader.bytes(at: [], in: answer.body, limits: limits) == nil
        {
            return
        }
        throw refusal(of: answer, reason: .refused, violations: [violation])
    }

    /// Checks that a reply of which nothing is read is JSON, if the key rules are about its keys.
    private func judgeSyntax(_ answer: Reply) throws(APIError) {
        guard request.expected.isNothing, replyRules.hasKeyRules,
            let error = JSONReader.syntaxError(in: answer.body, limits: rules.json)
        else { return }
        throw failure(in: .map, reason: .malformedReply(error), at: answer)
    }

    private func decode(_ answer: Reply, _ validation: ReplyValidation) -> Decoded {
        let reading = ReplyReading(
            path: replyRules.unwrap, limits: rules.json, checks: validation.effectiveChecks,
            appChecks: validation.mode == .off ? nil : pipeline.appChecks)
        var result = RuntimeClock.$current.withValue(pipeline.clock) {
            request.decode(answer, reading)
        }
        if validation.mode != .off { check(answer, reading, into: &result.report) }
        return result
    }

    /// Checks a reply with the features, such as templates.
    private func check(
        _ answer: Reply, _ reading: ReplyReading, into report: inout ValidationReport
    ) {
        guard case .json = request.expected.kind(of: answer.status), report.syntaxError == nil
        else { return }
        for feature in features { feature.check(answer, reading, of: self, into: &report) }
    }

    /// Records what was left out of the value, without secrets.
    private func note(_ skipped: SkippedValues) {
        guard skipped.count > 0 else { return }
        var skipped = skipped
        let redactor = replyRedactor
        skipped.violations = skipped.violations.map { $0.redacted(redactor) }
        context?.noteSkipped(skipped, keeping: rules.json.violations)
    }

    /// Records and reports the violations in spite of which the value is returned, without secrets.
    @inline(never)
    func warn(of violations: [Violation]) {
        let redactor = replyRedactor
        let warnings = violations.map { violation in
            var warning = violation.redacted(redactor)
            warning.severity = .warning
            return warning
        }
        context?.noteWarnings(warnings, keeping: rules.json.violations)
        context?.emit(.drifted(warnings))
        for feature in features { feature.noteDrift(warnings, of: self) }
    }

    private func value(
        of result: Decoded, _ answer: Reply, _ mode: ReplyValidation.Mode
    ) throws(APIError) -> AnyProduct {
        let report = result.report
        if let error = report.syntaxError {
            throw failure(in: .map, reason: .malformedReply(error), at: answer)
        }
        guard let value = result.product else {
            throw failure(
                in: .map, reason: .unexpectedReply, violations: report.violations, at: answer)
        }
        guard mode != .throw || report.isValid else {
            throw failure(
                in: .validate, reason: .unexpectedReply, violations: report.violations, at: answer)
        }
        note(report.skipped)
        if !report.violations.isEmpty { warn(of: report.violations) }
        return value
    }
}
