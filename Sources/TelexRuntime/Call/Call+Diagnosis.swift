import HTTPTypes

/// What is found out about the network when an attempt has failed.
extension Call {
    /// The error with what can be found out about the network, unless the call is sent again: then
    /// there is no need to know, and no time to lose.
    func diagnosed(
        _ error: APIError, _ verdict: AttemptFailure, _ context: AttemptContext
    ) async -> APIError {
        guard let (symptom, address) = question(about: error, verdict, context) else {
            return error
        }
        var error = error
        error.diagnosis = await pipeline.diagnostician.diagnose(symptom, of: address)
        // A redirect may have led to a host of the server's making.
        if let host = error.diagnosis?.host {
            error.diagnosis?.host = redactor.redact(host)
        }
        // Once the user has logged in, it comes through.
        if error.diagnosis?.isCaptive == true, template.mayRepeat { error.isRetryable = true }
        return error
    }

    /// What there is to be found out about a failure that ends the call; nil for nothing.
    @inline(never)
    private func question(
        about error: APIError, _ verdict: AttemptFailure, _ context: AttemptContext
    ) -> (Symptom, Address)? {
        guard !error.contents.isForeign, let symptom = symptom(of: error, context),
            let address = suspect(symptom, context), !context.wouldRepeat(verdict)
        else { return nil }
        return (symptom, address)
    }

    /// Why the network may be to blame; nil if it is not.
    ///
    /// A page with a status of failure is none of its signs: servers and what stands before them say
    /// so in HTML.
    private func symptom(of error: APIError, _ context: AttemptContext) -> Symptom? {
        switch error.reason {
        case .transport(let problem): .failure(problem.kind)
        case .status(511): .loginRequired
        case .refusedRedirect, .tooManyRedirects: .strangeReply
        case .malformedReply, .emptyReply, .unexpectedReply, .refused:
            isPage(error, context) ? .strangeReply : nil
        default: nil
        }
    }

    /// Whose answer is looked into. What led to another host led there in the name of the first.
    private func suspect(_ symptom: Symptom, _ context: AttemptContext) -> Address? {
        guard let hop = context.record.hop else { return nil }
        if case .failure = symptom { return hop.address }
        return template.wholeAddress ?? (try? pipeline.address(for: template, wishes))
    }

    /// Whether a page for people came where JSON was promised.
    private func isPage(_ error: APIError, _ context: AttemptContext) -> Bool {
        guard pipeline.diagnostician.canFindPortals else { return false }
        let isDeclared = context.record.head?.headerFields.declaresHTML == true
        return switch (request.expected, error.reason) {
        // What could be read is JSON, whatever it is called.
        case (.json, .unexpectedReply), (.json, .refused): false
        case (.json, _): isDeclared || MediaType.sniff(error.body) == .html
        // No keys were found that a success has.
        case (.nothing, .refused): MediaType.sniff(error.body) == .html
        case (.stream, _): isDeclared
        default: false
        }
    }
}

extension HTTPFields {
    /// Whether the body is declared to be a page for people.
    fileprivate var declaresHTML: Bool {
        guard let type = self[.contentType]?.prefix(while: { $0 != ";" }) else { return false }
        let name = String(type).withoutOptionalSpace.lowercased()
        return name == "text/html" || name == "application/xhtml+xml"
    }
}
