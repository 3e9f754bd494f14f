#if Observability
    import TelexRuntime

    /// The attributes of an event, named as in OpenTelemetry (Semantic Conventions for HTTP, client
    /// spans).
    struct HTTPAttributes {
        private(set) var texts: [String: String] = [:]
        private(set) var numbers: [String: Int] = [:]

        init(_ kind: APIEvent.Kind) {
            switch kind {
            case .sending(let request): add(request)
            case .received(let exchange), .disconnected(let exchange):
                add(exchange.request)
                if let status = exchange.reply?.status {
                    set("http.response.status_code", status)
                    if status >= 400 { texts["error.type"] = "\(status)" }
                }
                if let failure = exchange.failure { texts["error.type"] = failure.kind.errorType }
            case .redirected(let status, _): set("http.response.status_code", status)
            case .failed(let error): add(error)
            default: break
            }
        }

        private mutating func add(_ request: RequestRecord) {
            texts["http.request.method"] = request.method
            texts["url.full"] = request.url
            let rest = request.url.split(separator: "/", maxSplits: 2).dropFirst().first ?? ""
            let tail = rest.split(separator: "]", omittingEmptySubsequences: false).last ?? ""
            guard let colon = tail.lastIndex(of: ":") else {
                texts["server.address"] = String(rest)
                set("server.port", request.url.hasPrefix("https:") ? 443 : 80)
                return
            }
            let port = tail[colon...].dropFirst()
            texts["server.address"] = String(rest.dropLast(port.utf8.count + 1))
            if let port = Int(port) { set("server.port", port) }
        }

        private mutating func add(_ error: APIError) {
            texts["error.type"] = error.errorType
            if let status = error.status { set("http.response.status_code", status) }
        }

        private mutating func set(_ name: String, _ number: Int) {
            numbers[name] = number
            texts[name] = "\(number)"
        }
    }

    extension APIError {
        /// A low-cardinality word for the failure, or the status code.
        var errorType: String {
            switch reason {
            case .transport(let error): error.kind.errorType
            case .status(let status): "\(status)"
            case .invalidRequest: "invalid_request"
            case .noCredential: "no_credential"
            case .credentialExpired: "credential_expired"
            case .credentialRefused: "credential_refused"
            case .credentialStore: "credential_store"
            case .refreshFailed: "refresh_failed"
            case .throttled: "throttled"
            case .replaced: "replaced"
            case .notCached: "not_cached"
            case .hostPaused: "host_paused"
            case .network(let condition): "\(condition.rawValue)_network"
            case .timedOut, .attemptTimedOut: "timed_out"
            case .intercepted: "intercepted"
            case .tooManyRedirects: "too_many_redirects"
            case .refusedRedirect: "refused_redirect"
            case .refused: "refused"
            case .emptyReply: "empty_reply"
            case .pending: "pending"
            case .failedState: "failed_state"
            case .malformedReply: "malformed_reply"
            case .unexpectedReply: "unexpected_reply"
            case .download: "download"
            }
        }
    }

    extension TransportError.Kind {
        /// A low-cardinality word for the failure.
        var errorType: String {
            switch self {
            case .cancelled: "cancelled"
            case .offline: "offline"
            case .nameNotFound: "name_not_found"
            case .cannotConnect: "cannot_connect"
            case .connectionLost: "connection_lost"
            case .timedOut: "timed_out"
            case .tls: "tls"
            case .truncated: "truncated"
            case .tooLarge: "too_large"
            case .invalidRequest: "invalid_request"
            case .unsupported: "unsupported"
            case .other: "other"
            }
        }
    }
#endif
