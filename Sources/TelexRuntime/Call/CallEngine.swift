import HTTPTypes
import TelexJSON

/// Runs one attempt of a call: credential, exchange, success, mapping.
struct CallEngine: Sendable {
    let definition: APIDefinition
    let transport: any Transport
    let credentials: any CredentialStore
    let server: ServerChoice
    let clock: RuntimeClock
    let onEvent: (@Sendable (APIEvent) -> Void)?

    /// Runs an attempt and tells how it ended.
    func run<Output>(
        _ request: APIRequest<Output>, _ base: RequestTemplate, _ options: CallOptions,
        _ attempt: Int
    ) async throws -> Output {
        var template = request.template
        template.add(base: base)
        let call = Call(engine: self, template: template, options: options, attempt: attempt)
        do {
            let value = try await call.value(of: request)
            call.emit(.succeeded)
            return value
        } catch {
            // A cancelled operation has ended already; whatever else went wrong is of no interest.
            if Task.isCancelled {
                call.emit(.cancelled)
                throw CancellationError()
            }
            call.emit(.failed(error))
            throw error
        }
    }

    /// The head of the request that a call would send now.
    func head(
        of template: RequestTemplate, _ base: RequestTemplate, _ options: CallOptions
    ) async throws(APIError) -> HTTPRequest {
        var template = template
        template.add(base: base)
        return try await Call(engine: self, template: template, options: options, attempt: 0).head()
    }
}
