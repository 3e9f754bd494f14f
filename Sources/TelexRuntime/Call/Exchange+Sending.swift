import HTTPTypes

/// How a request goes through the interceptors to the transport.
extension Exchange {
    /// Sends one request.
    nonisolated(nonsending) func send(_ hop: Hop) async throws(APIError) -> TransportReply {
        do throws(CancellationError) { try await call.context?.passGateToSend() } catch {
            throw failed(.cancelled)
        }
        guard call.pipeline.interceptors.isEmpty, !isObserved else { return try await pass(hop) }
        let request = try self.request(hop)
        do throws(TransportError) {
            call.context?.heedStop()
            return try await call.pipeline.transport.send(request)
        } catch {
            throw failed(error)
        }
    }

    @inline(never)
    private func failed(_ error: TransportError) -> APIError {
        call.failure(error.phase, .transport(error))
    }

    /// What an interceptor of the app's threw. It is handed on as it is; the texts of the error have
    /// no words of it but its type, as they may hold secrets that nobody here knows.
    @inline(never)
    private func refused(_ error: any Error) -> APIError {
        var failure = call.failure(.send, .intercepted(error.tellableWords))
        failure.cause = error
        return failure
    }

    /// Whether somebody wants to know what is sent.
    private var isObserved: Bool { call.context?.isObserved ?? false }

    /// Sends one request past all who have a say in it or look at it.
    private func pass(_ hop: Hop) async throws(APIError) -> TransportReply {
        let request = try self.request(hop)
        call.context?.noteAnswer(false)
        do { return try await pass(request, hop, from: 0) } catch { throw translated(error) }
    }

    /// What an interceptor or the transport threw. It says nothing about what the server did with a
    /// request that it had answered by then; that of another call says nothing about this one.
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

    /// Asks the interceptors from this one on.
    private func pass(
        _ request: TransportRequest, _ hop: Hop, from index: Int
    ) async throws -> TransportReply {
        let interceptors = call.pipeline.interceptors
        guard index < interceptors.count else { return try await last(request, hop) }
        return try await interceptors[index].intercept(request, of: intercepted(hop)) {
            try await pass($0, hop, from: index + 1)
        }
    }

    /// An interceptor may send a request again, but not bytes that nobody can make again.
    private func last(
        _ request: TransportRequest, _ hop: Hop
    ) async throws(TransportError) -> TransportReply {
        guard request.body == nil || !template.isSpent else {
            throw .invalidRequest("its stream has been read; \(UploadStream.remedy)")
        }
        noteSending(request, hop)
        let reply = try await transmit(request)
        call.context?.noteAnswer(true)
        return reply
    }

    /// Takes note of what the interceptors have made of a request: it may go elsewhere, and what is sent
    /// again counts for the rates as well.
    @inline(never)
    private func noteSending(_ request: TransportRequest, _ hop: Hop) {
        guard let context = call.context, !call.pipeline.interceptors.isEmpty else { return }
        let hop = led(hop, request.head)
        guard context.noteSending(hop), !call.pipeline.isOutsideAPI(hop.address, besides: server)
        else { return }
        context.sendsAnother()
    }

    /// A request as it is sent in the end, to the host that the interceptors have led it to.
    private func led(_ hop: Hop, _ head: HTTPRequest) -> Hop {
        let (scheme, authority) = (head.scheme ?? "", head.authority ?? "")
        guard scheme != hop.address.scheme || authority != hop.address.authority,
            let address = Address("\(scheme)://\(authority)\(head.path ?? "")")
        else { return hop }
        return Hop(
            hop.method, address, sendsBody: hop.sendsBody, isAway: hop.isAway,
            shownHost: call.redactor.redact(address.origin.host))
    }

    /// Hands the request to the transport, under the eyes of those who listen.
    private func transmit(
        _ request: TransportRequest
    ) async throws(TransportError) -> TransportReply {
        guard let context = call.context, context.isObserved else {
            call.context?.heedStop()
            return try await call.pipeline.transport.send(request)
        }
        let maker = RecordMaker(
            template: template, redactor: call.redactor,
            placement: call.placement,
            credential: context.record.showsCredential ? call.credential : nil,
            mayBeChanged: !call.pipeline.interceptors.isEmpty,
            bodyLimit: context.bodyLimit, sensitiveKeys: call.sensitiveKeys)
        let observer = ExchangeObserver(request, maker, context, call.pipeline.clock)
        return try await observer.send(request, with: call.pipeline.transport)
    }

    private func intercepted(_ hop: Hop) -> InterceptedCall {
        InterceptedCall(
            api: call.pipeline.definition.name, method: template.method,
            endpoint: template.endpoint, operation: call.context?.operation,
            attempt: call.attempt,
            credential: call.placement == nil ? nil : credential(for: hop),
            isShared: call.context?.isShared ?? false,
            tags: call.overrides?.options.tags ?? [],
            leavesOrigin: isElsewhere(hop))
    }
}

extension Call {
    /// The keys whose values nobody may see in the body of a reply; nil if that is not known.
    fileprivate func sensitiveKeys(_ body: [UInt8]) -> Set<String>? {
        request.sensitiveKeys(in: body, at: rules.unwrap, pipeline.definition.limits.json)
    }
}
