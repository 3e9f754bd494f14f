import HTTPTypes
import TelexJSON

/// What becomes of a reply: it is read, judged, and mapped or refused.
extension Call {
    /// Reads the reply into memory.
    nonisolated(nonsending) func collect(_ reply: TransportReply) async throws(APIError) -> Reply {
        do throws(TransportError) {
            var buffer = try ReplyBuffer(of: reply.body, upTo: definition.limits.bytes)
            var chunks = reply.body.makeAsyncIterator()
            while true {
                do { try await context?.waitWhileHeld() } catch { throw .cancelled }
                guard let chunk = try await chunks.next() else { break }
                try buffer.append(chunk)
                show(buffer.bytes.count, of: reply)
            }
            context?.noteReply(reply.head, buffer.bytes)
            return Reply(head: reply.head, body: buffer.bytes)
        } catch {
            throw broken(reply.head, error)
        }
    }

    /// Shows how much of a reply is there, to those who want to see it. One that is refused is not
    /// what the call is for, nor is any that a transfer reads into memory.
    @inline(never)
    private func show(_ received: Int, of reply: TransportReply) {
        guard let context, context.isFollowed, !template.isTransfer,
            rules.allows(status: reply.head.status.code)
        else { return }
        context.report(
            OperationProgress(received: received, expectedToReceive: reply.body.length))
    }

    /// The next piece of a body; nil at its end.
    func next(
        _ chunks: inout ReplyBody.AsyncIterator, _ head: HTTPResponse
    ) async throws(APIError) -> [UInt8]? {
        do throws(TransportError) { return try await chunks.next(isolation: nil) } catch {
            throw broken(head, error)
        }
    }

    /// Returns once the attempt is not held.
    nonisolated(nonsending) func waitWhileHeld() async throws(APIError) {
        do { try await context?.waitWhileHeld() } catch {
            throw failure(.receive, .transport(.cancelled))
        }
    }

    @inline(never)
    private func broken(_ head: HTTPResponse, _ error: TransportError) -> APIError {
        // Its body will not say how long to wait.
        if head.isBusy, definition.errors.knowsWait { heedWait(in: head) }
        var failure = failure(.receive, .transport(error))
        failure.status = head.status.code
        return failure
    }

    /// The value of a reply that counts as success.
    @inline(never)
    func value(in answer: Reply) throws(APIError) -> AnyProduct {
        if !rules.allows(status: answer.status) || isUnwantedPart(answer) {
            throw refusal(answer, .status(answer.status))
        }
        if answer.head.isBusy { _ = heedWait(in: answer) }
        if answer.body.isEmpty, case .json = request.expected {
            return try valueWithoutContent(in: answer)
        }
        return try judgedValue(in: answer)
    }

    /// Whether a reply is a part of a value that was asked for as a whole (RFC 9110, section 15.3.7).
    private func isUnwantedPart(_ answer: Reply) -> Bool {
        guard answer.status == 206, !rules.names(status: 206), !template.asksForPart else {
            return false
        }
        let range = answer.head.headerFields[.contentRange].flatMap(ContentRange.init)
        return range?.isWhole != true
    }

    /// A reply that says that it has no content is null, where the value may be that.
    private func valueWithoutContent(in answer: Reply) throws(APIError) -> AnyProduct {
        let null = request.decode(Array("null".utf8), [], definition.limits.json)
        guard ReplyRules.bodiless.contains(answer.status), null.report.isValid,
            let value = null.product
        else { throw failure(.map, .emptyReply, at: answer) }
        return value
    }

    /// The value of a reply, or of an element of a stream, which is read like one; its keys say whether it
    /// is a success.
    @inline(never)
    func judgedValue(in answer: Reply) throws(APIError) -> AnyProduct {
        let result = decode(answer)
        // To look for keys can take as long as to read the value.
        if !result.isAlone || !rules.allowValueAlone { try judgeKeys(answer) }
        if !result.isAlone || mayHaveCodeBesideValue { try judgeCode(answer) }
        return try value(of: result, answer)
    }

    /// Whether the body of the reply says no.
    func judgeBody(_ answer: Reply) throws(APIError) {
        try judgeKeys(answer)
        try judgeCode(answer)
    }

    /// Whether there may be something in a body that says no.
    var judgesBodies: Bool { rules.askForKeys || asksForCodes }

    private func judgeCode(_ answer: Reply) throws(APIError) {
        if declaredCode(in: answer) != nil { throw refusal(answer, .refused) }
    }

    /// Whether the reply has the keys that one of success has.
    @inline(never)
    private func judgeKeys(_ answer: Reply) throws(APIError) {
        guard !answer.body.isEmpty else { return }
        let limits = definition.limits.json
        guard let violation = rules.violation(in: answer.body, limits: limits) else { return }
        // What is not JSON cannot have a key: where it is to be a value, the mapper will say so, and raw
        // bytes may be anything.
        if violation.rule != "absent", !request.expected.isNothing,
            JSONReader.bytes(at: [], in: answer.body, limits: limits) == nil
        {
            return
        }
        throw refusal(answer, .refused, [violation])
    }

    /// The server's no, with everything that it says about it.
    @inline(never)
    func refusal(
        _ answer: Reply, _ reason: APIError.Reason, _ violations: [Violation] = []
    ) -> APIError {
        let limits = definition.limits.json
        let code = definition.errors.code(in: answer.body, limits: limits)
        let isExpired = signsOfExpiry.contains { expiry in
            switch expiry {
            case .status(let status): status == answer.status
            case .code(let expired): expired == code
            }
        }
        // Where a redirect led, it was not shown.
        let isRefused =
            isExpired && pipeline.carriesToken(template)
            && context?.record.showsToken == true
        if isRefused { context?.refuse(credential) }
        var error = failure(
            isRefused ? .auth : .status, isRefused ? .credentialRefused : reason, violations,
            at: answer)
        error.retryAfter = heedWait(in: answer)
        error.code = code
        error.message = definition.errors.message(in: answer.body, limits: limits)
        let path = definition.errors.at
        error.contents.errorBody =
            JSONReader.bytes(at: path, in: answer.body, limits: limits).map(Array.init) ?? []
        return error
    }

    /// How long the server asks to wait. What the spec knows to be in the body says it better than a
    /// field, which may come from somebody between; but no time at all says nothing.
    private func heedWait(in answer: Reply) -> Duration? {
        let (head, limits) = (answer.head, definition.limits.json)
        let told = definition.errors.retryAfter(in: answer.body, limits: limits)
        guard let told, told > .zero else {
            if head.isBusy, definition.errors.knowsWait { heedWait(in: head) }
            return wait(in: head) ?? told
        }
        if head.isBusy { context?.pauseHost(told) }
        return told
    }

    /// How long the head of a reply asks to wait.
    private func wait(in head: HTTPResponse) -> Duration? {
        let now = pipeline.clock.now()
        // Under a 503 the rate says when to come back, but not that nothing was done.
        guard head.status == .tooManyRequests || head.isBusy && template.mayRepeat else {
            return RetryAfter.wait(head.headerFields, now: now)
        }
        return RetryAfter.busyWait(head.headerFields, now: now)
    }

    private func decode(_ answer: Reply) -> Decoded {
        RuntimeClock.$current.withValue(pipeline.clock) {
            request.decode(answer.body, rules.unwrap, definition.limits.json)
        }
    }

    private func value(of result: Decoded, _ answer: Reply) throws(APIError) -> AnyProduct {
        let report = result.report
        if let error = report.syntaxError {
            throw failure(.map, .malformedReply(error), at: answer)
        }
        guard let value = result.product else {
            throw failure(.map, .unexpectedReply, report.violations, at: answer)
        }
        guard report.isValid else {
            throw failure(.validate, .unexpectedReply, report.violations, at: answer)
        }
        return value
    }
}
