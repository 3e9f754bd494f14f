import HTTPTypes

/// Which failures may be the network's.
extension Call {
    /// Why the network may be to blame for a failure, and whose answer is looked into before the call
    /// fails; nil if it is not.
    func diagnosisRequest(of error: APIError, _ context: AttemptContext) -> DiagnosisRequest? {
        guard let symptom = symptom(of: error, context),
            pipeline.diagnostician.canExplain(symptom), let address = suspect(symptom, context)
        else { return nil }
        // A redirect may have led to a host of the server's making.
        let shown = redactor.redact(address.origin.host)
        return DiagnosisRequest(symptom, of: address, shown: shown)
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
        return template.wholeAddress ?? (try? pipeline.address(for: template, overrides))
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
