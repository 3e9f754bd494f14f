import HTTPTypes
import TelexDownloads
import TelexJSON
import TelexTransport

/// Reads, judges and maps replies.
extension Call {
    /// Reads the reply into memory.
    nonisolated(nonsending) func collect(_ reply: TransportReply) async throws(APIError) -> Reply {
        do throws(TransportError) {
            var buffer = try ReplyBuffer(of: reply.body, upTo: replyLimit)
            var chunks = reply.body.makeAsyncIterator()
            while true {
                do { try await context?.waitWhilePaused() } catch { throw .cancelled }
                guard let chunk = try await chunks.next() else { break }
                try buffer.append(chunk)
                show(buffer.bytes.count, of: reply.body.length, in: reply.head)
            }
            // The end tells the length of a chunked body.
            if reply.body.length == nil {
                show(buffer.bytes.count, of: buffer.bytes.count, in: reply.head)
            }
            context?.noteReply(reply.head, buffer.bytes)
            return Reply(
                head: reply.head, body: buffer.bytes, address: context?.kept.hop?.address)
        } catch {
            // The status tells more than the size of its body.
            if case .tooLarge = error.kind, !rules.allows(status: reply.head.status.code) {
                throw refusal(
                    of: Reply(head: reply.head, body: []), reason: .status(reply.head.status.code))
            }
            throw broken(reply.head, error)
        }
    }

    /// Reports the received bytes if the progress is observed. Refused replies and replies that a
    /// transfer reads into memory are not reported, because they are not the call's result.
    @inline(never)
    private func show(_ received: Int, of length: Int?, in head: HTTPResponse) {
        guard let context, context.hasListener, !template.isTransfer,
            rules.allows(status: head.status.code)
        else { return }
        context.report(OperationProgress(received: received, expectedToReceive: length))
    }

    /// Returns the next chunk of a body; nil at its end.
    func next(
        _ chunks: inout ReplyBody.AsyncIterator, _ head: HTTPResponse
    ) async throws(APIError) -> [UInt8]? {
        do throws(TransportError) { return try await chunks.next(isolation: nil) } catch {
            throw broken(head, error)
        }
    }

    /// Returns once the attempt is not suspended.
    nonisolated(nonsending) func waitWhilePaused() async throws(APIError) {
        do { try await context?.waitWhilePaused() } catch {
            throw failure(in: .receive, reason: .transport(.cancelled))
        }
    }

    @inline(never)
    private func broken(_ head: HTTPResponse, _ error: TransportError) -> APIError {
        // The body is lost, so its wait time is unknown and the header fields are used.
        if head.isBusy, errors.declaresWait { applyServerWait(in: head) }
        var failure = failure(in: .receive, reason: .transport(error))
        failure.status = head.status.code
        return failure
    }

    /// Returns the value of a successful reply.
    ///
    /// - Throws: The server's refusal, or an error of validation or mapping.
    @inline(never)
    func value(in answer: Reply) throws(APIError) -> AnyProduct {
        if !rules.allows(status: answer.status) || isUnrequestedPart(answer) {
            throw refusal(of: answer, reason: .status(answer.status))
        }
        if answer.head.isBusy { _ = applyServerWait(in: answer) }
        try judgeMediaType(answer)
        if template.endpoint.operation.until != nil { try judgeState(answer) }
        if answer.body.isEmpty, case .json = request.expected.kind(of: answer.status) {
            return try valueWithoutContent(in: answer)
        }
        return try judgedValue(in: answer)
    }

    /// Checks whether the reply has the final state.
    @inline(never)
    private func judgeState(_ answer: Reply) throws(APIError) {
        guard let polling = template.endpoint.operation.until else { return }
        // A refusal in the body is more specific.
        if !answer.body.isEmpty { try judgeBody(answer) }
        let limits = definition.limits.json
        let missing = polling.conditions.compactMap {
            $0.violation(in: answer.body, limits: limits)
        }
        guard !missing.isEmpty else { return }
        let hasFailed = polling.failures.contains {
            $0.violation(in: answer.body, limits: limits) == nil
        }
        var error = failure(
            in: .status, reason: hasFailed ? .failedState : .pending, violations: missing,
            at: answer)
        error.retryAfter = wait(in: answer.head)
        throw error
    }

    /// Checks the media type of a reply with a body.
    private func judgeMediaType(_ answer: Reply) throws(APIError) {
        let fields = answer.head.headerFields
        guard !rules.accepts.isEmpty, !answer.body.isEmpty, !fields.hasType(among: rules.accepts)
        else { return }
        // A refusal in the body is more specific.
        try judgeBody(answer)
        let violation = Violation(
            path: "Content-Type", check: .types, rule: "accepts",
            expected: rules.accepts.joined(separator: " or "),
            found: fields.mediaType ?? "no media type")
        throw failure(in: .map, reason: .unexpectedReply, violations: [violation], at: answer)
    }

    /// Whether the reply is a partial one (206) that the call did not request (RFC 9110, section
    /// 15.3.7).
    private func isUnrequestedPart(_ answer: Reply) -> Bool {
        guard answer.status == 206, !rules.names(status: 206), !template.asksForPart else {
            return false
        }
        let range = answer.head.headerFields[.contentRange].flatMap(ContentRange.init)
        return range?.isWhole != true
    }

    /// Maps an empty body to null, if the value may be null and no rule requires a key.
    private func valueWithoutContent(in answer: Reply) throws(APIError) -> AnyProduct {
        let null = request.decode(
            Reply(head: answer.head, body: Array("null".utf8), address: answer.address),
            ReplyReading(limits: definition.limits.json))
        let isWhole =
            !rules.requiresKeys || ReplyRules.statusesWithoutBody.contains(answer.status)
        guard isWhole, null.report.isValid, let value = null.product else {
            throw failure(in: .map, reason: .emptyReply, at: answer)
        }
        note(null.report.skipped)
        return value
    }

    /// Returns the value of a reply or of one stream element, after checking its keys and code.
    @inline(never)
    func judgedValue(in answer: Reply) throws(APIError) -> AnyProduct {
        let validation = pipeline.sampled(validation)
        let result = decode(answer, validation)
        // The key search is skipped where possible, because it can take as long as mapping the
        // value.
        if !result.isOnlyMember || !rules.allowsBareValue { try judgeKeys(answer) }
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
    var judgesBodies: Bool { rules.hasKeyRules || checksCodes }

    private func judgeCode(_ answer: Reply) throws(APIError) {
        if declaredCode(in: answer) != nil { throw refusal(of: answer, reason: .refused) }
    }

    /// Checks the body against the key rules.
    ///
    /// - Throws: The server's refusal, if a rule is violated.
    @inline(never)
    private func judgeKeys(_ answer: Reply) throws(APIError) {
        guard !answer.body.isEmpty else { return }
        let limits = definition.limits.json
        guard
            let violation = rules.violation(
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
        guard request.expected.isNothing, rules.hasKeyRules,
            let error = JSONReader.syntaxError(in: answer.body, limits: definition.limits.json)
        else { return }
        throw failure(in: .map, reason: .malformedReply(error), at: answer)
    }

    /// Returns the error for a refusal, with all details that the reply contains.
    @inline(never)
    func refusal(
        of answer: Reply, reason: APIError.Reason, violations: [Violation] = []
    ) -> APIError {
        let limits = definition.limits.json
        let named = errors.statuses.contains(answer.status) ? "\(answer.status)" : nil
        let code = errors.code(in: answer.body, limits: limits) ?? named
        let isExpired = expirySigns.contains { $0.isSign(answer.status, code) }
        // After a redirect, the last request may not have carried the token.
        let expectsToken = isExpired && auth.usesRefreshedScheme
        let isRefused = expectsToken && context?.record.sendsToken == true
        if isRefused { context?.noteCredential(credential) }
        var error = failure(
            in: isRefused ? .auth : .status, reason: isRefused ? .credentialRefused : reason,
            violations: violations,
            at: answer)
        error.retryAfter = applyServerWait(in: answer)
        error.code = code
        error.message = errors.message(in: answer.body, limits: limits) ?? answer.plainText
        error.contents.refusal =
            isRefused ? loginRefusal(credential) : furtherRefusal(by: answer, code: code)
        error.contents.isTokenHeld = expectsToken && !isRefused
        error.contents.errorBodies = errors.objects(in: answer.body, limits: limits)
        return error
    }

    /// Returns how long the server asks to wait, and pauses calls to its host. A positive time in
    /// the body takes precedence over header fields, which may come from a proxy. A time of zero
    /// counts as missing.
    private func applyServerWait(in answer: Reply) -> Duration? {
        let (head, limits) = (answer.head, definition.limits.json)
        let told = errors.retryAfter(in: answer.body, limits: limits)
        guard let told, told > .zero else {
            if head.isBusy, errors.declaresWait { applyServerWait(in: head) }
            return wait(in: head) ?? told
        }
        if head.isBusy { context?.pauseHost(told) }
        return told
    }

    /// Returns the wait time in the header fields of a reply.
    private func wait(in head: HTTPResponse) -> Duration? {
        let now = pipeline.clock.now()
        // With a 503, the rate fields tell when to try again, but not that the request had no
        // effect.
        guard head.status == .tooManyRequests || head.isBusy && template.mayRepeat else {
            return RetryAfter.wait(head.headerFields, now: now)
        }
        return RetryAfter.retryDelay(head.headerFields, now: now)
    }

    private func decode(_ answer: Reply, _ validation: ReplyValidation) -> Decoded {
        let reading = ReplyReading(
            path: rules.unwrap, limits: definition.limits.json, checks: validation.effectiveChecks,
            appChecks: validation.mode == .off ? nil : pipeline.appChecks)
        var result = RuntimeClock.$current.withValue(pipeline.clock) {
            request.decode(answer, reading)
        }
        if validation.mode != .off { check(answer, reading, into: &result.report) }
        return result
    }

    /// Checks a reply with its templates.
    private func check(
        _ answer: Reply, _ reading: ReplyReading, into report: inout ValidationReport
    ) {
        guard case .json = request.expected.kind(of: answer.status), report.syntaxError == nil
        else { return }
        let (checks, limits) = (reading.checks, reading.limits)
        if let template = definition.templates.check(of: template.method) {
            report.add(
                template.validate(answer.body, checks: checks, limits: limits), hiding: tokenKeys)
        }
        if let templates = pipeline.templates {
            report.add(
                templates.report(
                    on: answer.body, of: template.method, checks: checks, limits: limits,
                    onFault: reportTemplate),
                hiding: tokenKeys)
        }
    }

    /// Prints why a template cannot be used, without secrets.
    private func reportTemplate(_ fault: String) {
        guard let attributes = context?.handle.attributes else { return }
        attributes.hub?.faults.report(
            "\(replyRedactor.redact(fault)) (template of `\(template.method)`)", in: attributes.api)
    }

    /// Records the reply of a successful call as a template.
    @inline(never)
    nonisolated(nonsending) func record(_ answer: Reply, by templates: TemplateUse) async {
        guard validation.mode != .off, !answer.body.isEmpty, let mode = templates.recording,
            case .json = request.expected.kind(of: answer.status)
        else { return }
        let secrets = request.sensitiveKeys(
            in: answer, at: rules.unwrap, limits: definition.limits.json
        )?.union(tokenKeys)
        let problem = await templates.record(
            answer.body, of: template.method, mode: mode, secrets: secrets,
            onFault: reportTemplate)
        if let problem { warn(of: [problem]) }
    }

    /// Records what was left out of the value, without secrets.
    private func note(_ skipped: SkippedValues) {
        guard skipped.count > 0 else { return }
        var skipped = skipped
        let redactor = replyRedactor
        skipped.violations = skipped.violations.map { $0.redacted(redactor) }
        context?.noteSkipped(skipped, keeping: definition.limits.json.violations)
    }

    /// Records and reports the violations in spite of which the value is returned, without secrets.
    @inline(never)
    private func warn(of violations: [Violation]) {
        let redactor = replyRedactor
        let warnings = violations.map { violation in
            var warning = violation.redacted(redactor)
            warning.severity = .warning
            return warning
        }
        context?.noteWarnings(warnings, keeping: definition.limits.json.violations)
        context?.emit(.drifted(warnings))
        pipeline.drift?.replyDrifted(of: template.method, violations: warnings)
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
