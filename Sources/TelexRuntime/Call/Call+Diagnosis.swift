import HTTPTypes
import TelexDiagnosis
import TelexInspection
import TelexTransport
import TelexValues

/// Decides which failures may be caused by the network.
extension Call {
    /// The symptom of a failure that the network may have caused, and the address to probe before
    /// the call fails; nil if the network is not the cause.
    func diagnosisRequest(of error: APIError, _ context: AttemptContext) -> DiagnosisRequest? {
        guard let symptom = symptom(of: error, context),
            pipeline.diagnostician.canExplain(symptom), let address = probeAddress(symptom, context)
        else { return nil }
        // The host may come from a redirect, so it may contain secrets.
        let shown = redactor.redact(address.origin.host)
        return DiagnosisRequest(symptom, of: address, shown: shown)
    }

    /// The symptom that hints at the network; nil if there is none.
    ///
    /// An HTML page with an error status is no symptom: servers and proxies send error pages as
    /// HTML.
    private func symptom(of error: APIError, _ context: AttemptContext) -> Symptom? {
        switch error.reason {
        case .transport(let problem): .failure(problem.kind)
        case .status(511): .loginRequired
        case .refusedRedirect, .tooManyRedirects: .suspectReply
        case .malformedReply, .emptyReply, .unexpectedReply, .refused:
            isHTMLPage(error, context) ? .suspectReply : nil
        default: nil
        }
    }

    /// The address to probe. Unless the transport failed, this is the call's own address, because
    /// redirects to another host were sent on its behalf.
    private func probeAddress(_ symptom: Symptom, _ context: AttemptContext) -> Address? {
        guard let hop = context.kept.hop else { return nil }
        if case .failure = symptom { return hop.address }
        return template.wholeAddress ?? (try? server())
    }

    /// Whether the reply is an HTML page although the call expects something else.
    private func isHTMLPage(_ error: APIError, _ context: AttemptContext) -> Bool {
        guard pipeline.diagnostician.canFindPortals else { return false }
        let isDeclared = context.record.head?.headerFields.declaresHTML == true
        let kind = request.expected.kind(of: context.record.head?.status.code ?? 0)
        return switch (kind, error.reason) {
        // A body that was parsed is JSON, whatever its declared type.
        case (.json, .unexpectedReply), (.json, .refused): false
        case (.json, _): isDeclared || error.body.beginAsHTML
        case (.text, .unexpectedReply): isDeclared
        // The keys of a successful reply were missing, or the reply was not JSON.
        case (.nothing, .refused), (.nothing, .malformedReply): error.body.beginAsHTML
        case (.stream, _): isDeclared
        default: false
        }
    }
}

extension HTTPFields {
    /// Whether the declared media type is HTML or XHTML.
    fileprivate var declaresHTML: Bool {
        ["text/html", "application/xhtml+xml"].contains(mediaType)
    }
}
