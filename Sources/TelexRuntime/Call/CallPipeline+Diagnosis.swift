extension CallPipeline {
    /// The error with what can be found out about the network, unless the call is sent again: then
    /// there is no need to know, and no time to lose.
    func diagnosed(
        _ error: APIError, _ verdict: AttemptFailure, _ template: RequestTemplate,
        _ options: CallOptions, _ context: AttemptContext
    ) async -> APIError {
        guard case .transport(let problem) = error.reason, let address = context.record.address
        else { return error }
        let mayGoOn = context.number < retryPolicy(of: template, options).attempts
        if case .retry = verdict.remedy, mayGoOn { return error }
        var error = error
        error.diagnosis = await diagnostician.diagnose(problem.kind, of: address)
        // A redirect may have led to a host of the server's making.
        if let host = error.diagnosis?.host {
            let credential = try? await credentials.read()
            error.diagnosis?.host = template.redactor(credential).redact(host)
        }
        return error
    }
}
