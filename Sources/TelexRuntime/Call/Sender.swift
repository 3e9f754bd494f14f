/// Sends a request through the interceptors to the transport.
struct Sender: Sendable {
    let pipeline: CallPipeline
    let template: RequestTemplate
    let tags: Set<String>
    let context: AttemptContext?
    var credential: Credential?
    /// The keys whose values nobody may see in the body of a reply; nil if nothing of it is shown.
    var sensitiveKeys: @Sendable (_ body: [UInt8]) -> Set<String>? = { _ in nil }

    func send(_ request: TransportRequest) async throws(APIError) -> TransportReply {
        do {
            guard !pipeline.interceptors.isEmpty else {
                return try await transmit(request)
            }
            return try await pass(request, from: 0)
        } catch let error as TransportError {
            throw failure(error.phase, .transport(error))
        } catch let error as APIError {
            throw error
        } catch {
            throw failure(.send, .intercepted("\(error)"))
        }
    }

    /// Asks the interceptors from this one on.
    private func pass(
        _ request: TransportRequest, from index: Int
    ) async throws -> TransportReply {
        guard index < pipeline.interceptors.count else {
            return try await transmit(request)
        }
        return try await pipeline.interceptors[index].intercept(request, of: call) {
            try await pass($0, from: index + 1)
        }
    }

    /// Hands the request to the transport, under the eyes of those who listen.
    private func transmit(
        _ request: TransportRequest
    ) async throws(TransportError) -> TransportReply {
        guard let context, context.isObserved else {
            return try await pipeline.transport.send(request)
        }
        return try await observed(request, context)
    }

    /// The same, and tells about it.
    @inline(never)
    private func observed(
        _ request: TransportRequest, _ context: AttemptContext
    ) async throws(TransportError) -> TransportReply {
        let maker = RecordMaker(
            template: template, redactor: template.redactor(credential),
            bodyLimit: context.bodyLimit, sensitiveKeys: sensitiveKeys)
        let observer = ExchangeObserver(request, maker, context, pipeline.clock)
        return try await observer.send(request, with: pipeline.transport)
    }

    private var call: InterceptedCall {
        InterceptedCall(
            api: pipeline.definition.name, method: template.method, endpoint: template.endpoint,
            operation: context?.operation, attempt: context?.number ?? 0, tags: tags)
    }

    @inline(never)
    private func failure(_ phase: APIError.Phase, _ reason: APIError.Reason) -> APIError {
        APIError(method: template.method, phase, reason)
    }
}
