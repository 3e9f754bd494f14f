import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexRequests
import TelexTransport

/// Sends one request and follows its redirects (RFC 9110, section 15.4) to the final reply.
///
/// Credentials are sent only to the origin that they belong to. Once a redirect has left it, no
/// token, no `Authorization`, no `Cookie` and no sensitive value is sent any more, even if a later
/// redirect leads back.
///
/// A class, because most of its state lives across many suspension points.
final class Exchange: Sendable {
    static let redirectLimit = 10

    let call: Call
    let server: Address
    /// Additional header fields.
    let extra: HTTPFields
    private let hold: DownloadHold?

    init(
        _ call: Call, on server: Address, adding extra: HTTPFields = [:], hold: DownloadHold? = nil
    ) {
        self.call = call
        self.server = server
        self.extra = extra
        self.hold = hold
    }

    var template: RequestTemplate { call.template }

    /// Returns the final reply, whatever its status; its body is still unread.
    nonisolated(nonsending) func reply() async throws(APIError) -> TransportReply {
        var hop = try first()
        for _ in 0...Self.redirectLimit {
            let reply = try await send(hop)
            for feature in call.features { feature.note(reply.head, to: hop, in: self) }
            guard let next = try redirect(reply, hop) else { return reply }
            follow(reply.head.status.code, next)
            hop = next
        }
        throw call.failure(in: .receive, reason: .tooManyRedirects(limit: Self.redirectLimit))
    }

    @inline(never)
    private func follow(_ status: Int, _ next: Hop) {
        guard let context = call.context else { return }
        // Requests to hosts outside the API do not count against its limits.
        if !call.pipeline.isOutsideAPI(next.address, besides: server) { context.countNextRequest() }
        guard context.isObserved else { return }
        context.emit(.redirected(status: status, to: call.redactor.redact(next.address.redacted)))
    }

    /// Returns the head of the first request.
    func head() throws(APIError) -> HTTPRequest {
        let hop = try first()
        return try head(hop, credential(for: hop))
    }

    @inline(never)
    private func first() throws(APIError) -> Hop {
        // A request that starts at another origin must not contain the credential.
        let hasLeftOrigin = template.wholeAddress.map(leavesOrigin) ?? false
        let stored = hasLeftOrigin ? nil : call.credential
        var address = try built { () throws(Violation) in
            try template.address(on: server, stored)
        }
        if let item = RequestTemplate.tokenItem(call.placement, stored) {
            // The reply that gave the address may have repeated the token of its own request.
            if template.isAddressFromReply, case .query(let name) = call.placement {
                address.remove(item: name)
            }
            address.query = address.query.map { "\($0)&\(item)" } ?? item
        }
        // The caller's own header fields are sent to the address that the caller gave.
        let hop = Hop(
            template.endpoint.method, to: address, sendsBody: true, wasRedirectedAway: false,
            redactedHost: hasLeftOrigin ? call.redactor.redact(address.origin.host) : nil)
        return hasLeftOrigin && template.isAddressFromReply ? try crossOriginHop(hop) : hop
    }

    /// Returns the credential that a request may carry; nil once it has left the server's origin.
    func credential(for hop: Hop) -> Credential? {
        hasLeftOrigin(hop) ? nil : call.credential
    }

    /// Whether a request contains the token. A redirect may have led to an address without it, or
    /// turned the request into one without a body.
    private func sendsToken(of credential: Credential?, _ hop: Hop) -> Bool {
        guard let credential, let placement = call.placement else { return false }
        switch placement {
        case .query:
            guard let item = RequestTemplate.tokenItem(placement, credential) else { return false }
            return hop.address.query?.split(separator: "&").contains { $0 == item } ?? false
        case .form, .json, .body: return hop.sendsBody
        case .header, .bearer, .cookie, .path: return true
        }
    }

    /// Whether a request has left the server's origin.
    func hasLeftOrigin(_ hop: Hop) -> Bool { hop.wasRedirectedAway || leavesOrigin(hop.address) }

    /// Whether an address has another origin than the server, so that it must not get credentials.
    private func leavesOrigin(_ address: Address) -> Bool { !address.hasSameOrigin(as: server) }

    // MARK: Sending

    func head(_ hop: Hop, _ credential: Credential?) throws(APIError) -> HTTPRequest {
        var fields = try built { () throws(Violation) in
            try template.fields(call.placement, credential)
        }
        for feature in call.features { feature.add(to: &fields, of: hop, in: self) }
        // Another address has other versions, so the validators say nothing about it.
        let unsent: [HTTPField.Name] = hop.isRedirected ? [.ifNoneMatch, .ifModifiedSince] : []
        for field in extra where !unsent.contains(field.name) { fields[field.name] = field.value }
        if !fields.contains(.accept), let accept = call.accept { fields.append(accept) }
        if hop.wasRedirectedAway { remove(secretsFrom: &fields) }
        if hop.wasRedirectedAway || hop.method != template.endpoint.method {
            removeKey(from: &fields)
        }
        if !hop.sendsBody {
            for field in fields where field.name.canonicalName.hasPrefix("content-") {
                fields[field.name] = nil
            }
        }
        return HTTPRequest(
            method: hop.method, scheme: hop.address.scheme, authority: hop.address.authority,
            path: hop.address.target, headerFields: fields)
    }

    private func remove(secretsFrom fields: inout HTTPFields) {
        let names: Set<HTTPField.Name> = [.authorization, .cookie, .proxyAuthorization]
        for name in names.union(template.secretFields(call.placement)) { fields[name] = nil }
    }

    /// Removes the idempotency key. It identifies an action of the first origin. Other origins do
    /// not need it, nor does a request that only fetches the result of the action.
    private func removeKey(from fields: inout HTTPFields) {
        if let keyField { fields[keyField] = nil }
    }

    private var keyField: HTTPField.Name? {
        template.endpoint.operation.idempotencyKey.flatMap { HTTPField.Name($0) }
    }

    @inline(never)
    func request(_ hop: Hop) throws(APIError) -> TransportRequest {
        let credential = credential(for: hop)
        var head = try head(hop, credential)
        call.context?.noteRequest(hop, showing: credential, token: sendsToken(of: credential, hop))
        let payload = try hop.sendsBody ? payload(credential) : nil
        if let type = payload?.type, head.headerFields[.contentType] == nil {
            head.headerFields[.contentType] = type
        }
        var request = TransportRequest(
            head: head, body: payload?.body,
            timeout: call.rules.timeouts.silence,
            maximumReplyBytes: template.isTransfer ? .max : call.rules.replyBytes,
            session: call.rules.session,
            onBodySent: payload.flatMap { follow($0.body) },
            maximumUnreadBytes: hold?.unreadBytesLimit)
        request.isRepeatable =
            template.endpoint.operation.isSafe
            || keyField.map { head.headerFields.contains($0) } ?? false
        return request.withChallengeChecks(call, credential)
    }

    private func payload(
        _ credential: Credential?
    ) throws(APIError) -> RequestTemplate.Payload? {
        try built { () throws(Violation) in
            try template.payload(placement: call.placement, credential: credential)
        }
    }

    /// Returns a closure that reports the sent bytes if the progress is observed.
    private func follow(_ body: RequestBody) -> (@Sendable (Int) -> Void)? {
        guard let context = call.context else { return nil }
        let isUpload = template.endpoint.operation.kind == .upload
        return { sent in
            // Observation may begin during a long upload, so it is checked each time.
            guard isUpload || context.hasListener else { return }
            context.report(OperationProgress(sent: sent, expectedToSend: body.length))
        }
    }

    // MARK: Errors

    private func built<T>(_ body: () throws(Violation) -> T) throws(APIError) -> T {
        do {
            return try body()
        } catch {
            throw call.failure(in: .build, reason: .invalidRequest, violations: [error])
        }
    }
}

extension RequestTemplate {
    /// Whether the reply is never in memory as a whole, so that its size is not limited.
    var isTransfer: Bool {
        switch endpoint.operation.kind {
        case .download, .stream: true
        case .data, .upload: false
        }
    }
}

extension TransportError {
    /// The phase of a call that failed before the head of a reply arrived.
    var phase: APIError.Phase {
        switch kind {
        case .offline, .nameNotFound, .cannotConnect, .tls: .connect
        case .invalidRequest, .unsupported: .build
        case .truncated, .tooLarge: .receive
        case .cancelled, .connectionLost, .timedOut, .other: .send
        }
    }
}
