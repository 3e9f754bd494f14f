import HTTPTypes
import TelexJSON

/// A complete reply.
struct Reply: Sendable {
    var head: HTTPResponse
    var body: [UInt8]

    var status: Int { head.status.code }

    /// What servers call an exchange, so that people can ask about it.
    var requestID: String? {
        for name in ["X-Request-ID", "Request-ID", "X-Correlation-ID", "X-Amzn-RequestId"] {
            if let name = HTTPField.Name(name), let value = head.headerFields[name] { return value }
        }
        return nil
    }
}

/// Sends one request and follows its redirects (RFC 9110, section 15.4) to the last reply.
///
/// Credentials stay with the origin they were meant for: once a redirect has left it, no token, no
/// `Authorization`, no `Cookie` and nothing declared sensitive is sent any more, even if a later
/// redirect leads back.
///
/// A reference, because much of it is held across many points where it waits.
final class Exchange: Sendable {
    static let redirectLimit = 10

    let template: RequestTemplate
    let definition: APIDefinition
    let sender: Sender
    let server: Address
    let timeout: Duration
    /// Header fields that are sent besides.
    let extra: HTTPFields
    /// The attempt; nil for a request that is not sent.
    let context: AttemptContext?

    init(
        template: RequestTemplate, definition: APIDefinition, sender: Sender, server: Address,
        timeout: Duration, extra: HTTPFields = [:], context: AttemptContext?
    ) {
        self.template = template
        self.definition = definition
        self.sender = sender
        self.server = server
        self.timeout = timeout
        self.extra = extra
        self.context = context
    }

    /// One request on its way through the redirects.
    private struct Hop {
        var method: HTTPRequest.Method
        var address: Address
        var sendsBody = true
        var isAway = false
        var credential: Credential?
    }

    /// The last reply, whatever its status; its body is still to be read.
    func reply(_ credential: Credential?) async throws(APIError) -> TransportReply {
        var hop = try first(credential)
        for _ in 0...Self.redirectLimit {
            let reply = try await send(request(hop))
            guard let next = try redirect(reply, hop) else { return reply }
            tell(reply.head.status.code, next)
            hop = next
        }
        throw failure(.receive, .tooManyRedirects(limit: Self.redirectLimit))
    }

    private func tell(_ status: Int, _ next: Hop) {
        guard let context, context.isObserved else { return }
        let address = template.redactor(sender.credential).redact(next.address.redacted)
        context.emit(.redirected(status: status, to: address))
    }

    /// The head of the first request.
    func head(_ credential: Credential?) throws(APIError) -> HTTPRequest {
        try head(first(credential))
    }

    @inline(never)
    private func first(_ credential: Credential?) throws(APIError) -> Hop {
        var address = try built { () throws(Violation) in
            try template.address(on: server, credential)
        }
        let isAway = !address.hasSameOrigin(as: server)
        let credential = isAway ? nil : credential
        if let item = RequestTemplate.tokenItem(definition.auth, credential) {
            address.query = address.query.map { "\($0)&\(item)" } ?? item
        }
        return Hop(
            method: template.endpoint.method, address: address, isAway: false,
            credential: credential)
    }

    // MARK: Sending

    private func head(_ hop: Hop) throws(APIError) -> HTTPRequest {
        var fields = try built { () throws(Violation) in
            try template.fields(definition.auth, hop.credential)
        }
        for field in extra { fields[field.name] = field.value }
        if hop.isAway { remove(secretsFrom: &fields) }
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
        var names: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization]
        if case .header(let name, _) = definition.auth.token, let name = HTTPField.Name(name) {
            names.append(name)
        }
        names += template.headers.filter { $0.isHidden || Redactor.isSecretHeader($0.name) }
            .compactMap { HTTPField.Name($0.name) }
        for name in names { fields[name] = nil }
    }

    /// Never inlined: its temporaries would be in the frame of the asynchronous caller, which lives
    /// as long as the call is on its way.
    @inline(never)
    private func request(_ hop: Hop) throws(APIError) -> TransportRequest {
        var request = TransportRequest(
            head: try head(hop), timeout: timeout,
            maximumReplyBytes: template.isTransfer ? .max : definition.limits.bytes,
            session: definition.transportSession(template.endpoint.session))
        context?.keep(hop.address)
        guard hop.sendsBody else { return request }
        let payload = try built { () throws(Violation) in
            try template.payload(definition.auth, hop.credential)
        }
        request.body = payload?.body
        request.onBodySent = payload.flatMap { follow($0.body) }
        if let type = payload?.type, request.head.headerFields[.contentType] == nil {
            request.head.headerFields[.contentType] = type
        }
        return request
    }

    private func send(_ request: TransportRequest) async throws(APIError) -> TransportReply {
        do {
            try await context?.passGate()
        } catch {
            throw failure(.send, .transport(.cancelled))
        }
        return try await sender.send(request)
    }

    /// Shows how much of the body has been sent, to those who want to see it.
    private func follow(_ body: RequestBody) -> (@Sendable (Int) -> Void)? {
        guard let context, context.isFollowed else { return nil }
        return { sent in
            context.report(OperationProgress(sent: sent, expectedToSend: body.length))
        }
    }

    // MARK: Redirects

    /// Where a reply leads; nil if it is the last.
    @inline(never)
    private func redirect(_ reply: TransportReply, _ hop: Hop) throws(APIError) -> Hop? {
        let status = reply.head.status.code
        guard [301, 302, 303, 307, 308].contains(status),
            let location = reply.head.headerFields[.location]
        else { return nil }
        reply.body.cancel()
        guard let address = hop.address.resolving(location) else {
            throw refused("its address is no http or https address")
        }
        guard address.scheme == "https" || hop.address.scheme == "http" else {
            throw refused("it leads from https to http, where others can read along")
        }
        var next = hop
        next.address = address
        if status == 303 && hop.method != .head || status <= 302 && hop.method == .post {
            next.method = .get
            next.sendsBody = false
        }
        guard address.origin != hop.address.origin else { return next }
        return try leaving(next)
    }

    /// Takes away what only the first origin may see.
    private func leaving(_ hop: Hop) throws(APIError) -> Hop {
        guard !hop.sendsBody || !template.hasSensitiveBody else {
            throw refused("it would hand a sensitive body to \(hop.address.authority)")
        }
        let token = hop.credential?.token
        var hop = hop
        hop.isAway = true
        hop.credential = nil
        if case .query(let name) = definition.auth.token { hop.address.remove(item: name) }
        for field in template.query where field.isHidden { hop.address.remove(item: field.name) }
        if let token, Redactor(token).redact(hop.address.target) != hop.address.target {
            throw refused("its address would hand the token to \(hop.address.authority)")
        }
        return hop
    }

    // MARK: Errors

    private func refused(_ why: String) -> APIError {
        failure(.receive, .refusedRedirect(why))
    }

    private func built<T>(_ body: () throws(Violation) -> T) throws(APIError) -> T {
        do {
            return try body()
        } catch {
            var failure = failure(.build, .invalidRequest)
            failure.violations = [error]
            throw failure
        }
    }

    @inline(never)
    private func failure(_ phase: APIError.Phase, _ reason: APIError.Reason) -> APIError {
        APIError(method: template.method, phase, reason)
    }
}

extension RequestTemplate {
    /// Whether the reply is never in memory as a whole, so that it may be of any size.
    var isTransfer: Bool {
        switch endpoint.operation.kind {
        case .download, .stream: true
        case .data, .upload: false
        }
    }
}

extension TransportError {
    /// How far a call came that failed before the head of a reply.
    var phase: APIError.Phase {
        switch kind {
        case .offline, .nameNotFound, .cannotConnect, .tls: .connect
        case .invalidRequest, .unsupported: .build
        case .truncated, .tooLarge: .receive
        case .cancelled, .connectionLost, .timedOut, .other: .send
        }
    }
}
