@testable import TelexRuntime

extension Call {
    /// An attempt that sends a request as it is, with this credential.
    convenience init(
        _ pipeline: CallPipeline, _ request: RequestContent, _ credential: Credential?
    ) {
        let plan = CallPlan(pipeline: pipeline, request: request, overrides: nil)
        self.init(
            plan, sending: request.template, context: nil,
            credential: .success(credential),
            auth: pipeline.plainAuth(for: request.template, .success(credential)))
    }
}
