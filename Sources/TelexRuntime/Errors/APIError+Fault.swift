import TelexJSON

/// What follows from an error, for those who have to act.
extension APIError {
    /// Who has to do something. If the network wants its user to log in first, that is nobody's fault
    /// but the network's, whatever came instead of a reply.
    public var fault: Fault {
        if diagnosis?.isCaptive == true { return .network }
        return switch reason {
        case .invalidRequest, .noCredential, .credentialExpired, .credentialRefused,
            .credentialStore, .throttled, .replaced, .intercepted:
            .caller
        case .refreshFailed: refreshFault
        case .timedOut, .attemptTimedOut: timeOutFault
        case .download(let error): error.isServers ? .server : .caller
        case .transport(let error): error.fault
        case .status(511): .network
        case .status(let status): (400...499).contains(status) && status != 429 ? .caller : .server
        case .hostPaused, .refused, .tooManyRedirects, .refusedRedirect, .emptyReply,
            .malformedReply, .unexpectedReply:
            .server
        }
    }

    /// Whether only the user can help, by logging in: there is no token that the server takes, and the
    /// app has no other way to one.
    public var needsLogin: Bool {
        switch reason {
        case .noCredential, .credentialExpired: true
        case .credentialRefused: !contents.isRenewing
        case .credentialStore(let error): error.needsLogin
        case .refreshFailed: cause?.asksForLogin ?? false
        default: false
        }
    }

    /// Of what was on its way, the network's. What waited did so for the caller's own limits, unless the
    /// server wanted that, or why it was to be sent again was another's fault.
    private var timeOutFault: Fault {
        switch (phase, contents.wait) {
        case (.connect, _), (.send, _), (.receive, _): .network
        case (_, .host): .server
        case (.queue, _): (cause as? APIError)?.fault ?? .caller
        default: .caller
        }
    }

    private var refreshFault: Fault {
        if let error = cause as? APIError { return error.fault }
        if let kind = cause?.transportKind { return kind.fault }
        guard let error = cause as? CredentialError else { return .caller }
        switch error.reason {
        case .transport(let problem): return problem.fault
        case .redirected, .malformedReply: return .server
        case .status: return error.needsLogin ? .caller : .server
        case .refused: return error.isTemporary ? .server : .caller
        case .nothingToRefresh, .invalidRequest, .expired, .invalidRedirect: return .caller
        }
    }

    /// The API's code as a value of its generated type; nil if there is none, or another API's.
    public func code<API: APIDescription>(in api: API.Type) -> API.ErrorCode? {
        guard let code, self.api.isEmpty || self.api == API.definition.name else { return nil }
        if let raw = code as? API.ErrorCode.RawValue { return API.ErrorCode(rawValue: raw) }
        guard let raw = Int(code) as? API.ErrorCode.RawValue else { return nil }
        return API.ErrorCode(rawValue: raw)
    }

    /// The error object of the reply as a model.
    ///
    /// - Returns: nil if there was no error object, or it is no such model.
    public func detail<Model: JSONReadable>(as model: Model.Type = Model.self) -> Model? {
        guard !contents.errorBody.isEmpty else { return nil }
        let result = JSONReader.read(contents.errorBody) { json -> Model? in json.value() }
        return result.report.isValid ? result.value : nil
    }
}

extension Error {
    /// Whether it is one of Telex's own after which only the user can help.
    var asksForLogin: Bool {
        (self as? CredentialError)?.needsLogin ?? (self as? APIError)?.needsLogin ?? false
    }
}

extension TransportError {
    var fault: APIError.Fault { kind.fault }
}

extension TransportError.Kind {
    var fault: APIError.Fault {
        switch self {
        case .invalidRequest, .unsupported, .cancelled: .caller
        case .tls, .tooLarge: .server
        case .offline, .nameNotFound, .cannotConnect, .connectionLost, .timedOut, .truncated,
            .other:
            .network
        }
    }
}
