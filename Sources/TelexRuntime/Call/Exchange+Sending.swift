import HTTPTypes
import TelexCredentials
import TelexRequests
import TelexTransport

/// Passes a request through the interceptors to the transport.
extension Exchange {
    /// Sends one request.
    nonisolated(nonsending) func send(_ hop: Hop) async throws(APIError) -> TransportReply {
        do throws(CancellationError) { try await call.context?.waitForPermissionToSend() } catch {
            throw failed(.cancelled)
        }
        guard call.pipeline.interceptors.isEmpty, !isObserved else { return try await pass(hop) }
        let request = try self.request(hop)
        do throws(TransportError) {
            call.context?.cancelTaskIfStopped()
            return try await call.pipeline.transport.send(request)
        } catch {
            throw failed(error)
        }
    }

    @inline(never)
    private func failed(_ error: TransportError) -> APIError {
        call.failure(in: error.phase, reason: .transport(error))
    }

    /// The failure for an error that an interceptor of the app threw. The error becomes the cause;
    /// texts contain only its type, because its words may contain unknown secrets.
    @inline(never)
    private func refused(_ error: any Error) -> APIError {
        var failure = call.failure(in: .send, reason: .intercepted(error.safeDescription))
        failure.cause = error
        return failure
    }

    /// Whether a listener observes the requests.
    private var isObserved: Bool { call.context?.isObserved ?? false }

    /// Sends one request through the interceptors and observers.
    private func pass(_ hop: Hop) async throws(APIError) -> TransportReply {
        let request = try self.request(hop)
        call.context?.noteAnswer(false)
        do { return try await pass(request, of: hop, fromInterceptor: 0) } catch {
            throw translated(error)
        }
    }

    /// Converts an error of an interceptor or of the transport. An error after a reply does not
    /// prove that the server did nothing, and an error of another call tells nothing about this
    /// one.
    @inline(never)
    private func translated(_ error: any Error) -> APIError {
        var failure =
            switch error {
            case let error as TransportError: failed(error)
            case let error as APIError: error
            default: refused(error)
            }
        failure.contents.isFromOtherCall = error is APIError
        failure.contents.isAfterReply = call.context?.record.wasAnswered == true
        return failure
    }

    /// Passes a request through the interceptors from `index` on.
    private func pass(
        _ request: TransportRequest, of hop: Hop, fromInterceptor index: Int
    ) async throws -> TransportReply {
        let interceptors = call.pipeline.interceptors
        guard index < interceptors.count else { return try await last(request, hop) }
        return try await interceptors[index].intercept(request, of: intercepted(hop)) {
            try await pass($0, of: hop, fromInterceptor: index + 1)
        }
    }

    /// Sends a request after the last interceptor. An interceptor may send a request again, unless
    /// its body is a stream that has been read.
    private func last(
        _ request: TransportRequest, _ hop: Hop
    ) async throws(TransportError) -> TransportReply {
        guard request.body == nil || !template.isConsumed else {
            throw .invalidRequest("its stream has been read; \(UploadStream.remedy)")
        }
        noteSending(request, hop)
        let reply = try await transmit(request)
        call.context?.noteAnswer(true)
        return reply
    }

    /// Records the request that the interceptors have produced. It may go to another host, and each
    /// repeat counts against the rate limits.
    @inline(never)
    private func noteSending(_ request: TransportRequest, _ hop: Hop) {
        guard let context = call.context, !call.pipeline.interceptors.isEmpty else { return }
        noteChangedFields(request.head.headerFields, hop)
        let hop = hopAsSent(hop, request.head)
        guard context.noteSending(hop), !call.pipeline.isOutsideAPI(hop.address, besides: server)
        else { return }
        context.countNextRequest()
    }

    /// Records which fields the interceptors have changed, for the key of the stored reply.
    private func noteChangedFields(_ fields: HTTPFields, _ hop: Hop) {
        guard call.template.endpoint.operation.cache != nil,
            let own = try? head(hop, credential(for: hop)).headerFields
        else { return }
        let changed = (own + fields).map(\.name).filter { own[fields: $0] != fields[fields: $0] }
        call.context?.noteChanged(Set(changed.map(\.canonicalName)))
    }

    /// Returns the hop with the host to which the interceptors have sent the request.
    private func hopAsSent(_ hop: Hop, _ head: HTTPRequest) -> Hop {
        let (scheme, authority) = (head.scheme ?? "", head.authority ?? "")
        guard scheme != hop.address.scheme || authority != hop.address.authority,
            let address = Address("\(scheme)://\(authority)\(head.path ?? "")")
        else { return hop }
        return Hop(
            hop.method, to: address, sendsBody: hop.sendsBody,
            wasRedirectedAway: hop.wasRedirectedAway,
            redactedHost: call.redactor.redact(address.origin.host),
            isRedirected: hop.isRedirected)
    }

    /// Sends the request to the transport and reports it to the listeners.
    private func transmit(
        _ request: TransportRequest
    ) async throws(TransportError) -> TransportReply {
        guard let context = call.context, context.isObserved else {
            call.context?.cancelTaskIfStopped()
            return try await call.pipeline.transport.send(request)
        }
        let maker = RecordMaker(
            template: template, redactor: call.redactor,
            placement: call.placement,
            credential: context.record.showsCredential ? call.credential : nil,
            secretHeaders: call.pipeline.schemes.headers,
            mayBeChanged: !call.pipeline.interceptors.isEmpty,
            bodyLimit: context.bodyLimit, sensitiveKeys: call.sensitiveKeys)
        let observer = ExchangeObserver(
            request, recorder: maker, reporter: context, clock: call.pipeline.clock)
        return try await observer.send(request, with: call.pipeline.transport)
    }

    private func intercepted(_ hop: Hop) -> InterceptedCall {
        InterceptedCall(
            api: call.pipeline.definition.name, method: template.method,
            endpoint: template.endpoint, operation: call.context?.operation,
            attempt: call.attempt,
            credential: call.placement == nil ? nil : credential(for: hop),
            isShared: call.context?.isShared ?? false,
            tags: call.options?.tags ?? [],
            leavesOrigin: hasLeftOrigin(hop))
    }
}

extension Call {
    /// Returns the keys whose values must be redacted in the body of a reply; nil if they are not
    /// known.
    fileprivate func sensitiveKeys(_ head: HTTPResponse, _ body: [UInt8]) -> Set<String>? {
        request.sensitiveKeys(
            in: Reply(head: head, body: body), at: replyRules.unwrap,
            limits: rules.json
        )?.union(tokenKeys)
    }

    /// The keys of tokens in the replies of methods that return them.
    var tokenKeys: Set<String> {
        let login = Set(template.endpoint.login?.secretKeys ?? [])
        guard definition.tokenMethods[template.method] != nil else { return login }
        return login.union(pipeline.schemes.further.values.compactMap { $0.method?.token.last })
    }
}
