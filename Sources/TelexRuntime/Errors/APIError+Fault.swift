import TelexCredentials
import TelexJSON
import TelexRequests
import TelexTransport

/// Properties derived from the reason, for error handling.
extension APIError {
    /// Which side has to act. If a captive portal answered, the network is at fault, whatever the
    /// reason.
    public var fault: Fault {
        if diagnosis?.isCaptive == true { return .network }
        return switch reason {
        case .invalidRequest, .noCredential, .credentialExpired, .credentialRefused,
            .credentialStore, .throttled, .replaced, .notCached,
            .intercepted:
            .caller
        case .refreshFailed: refreshFault
        case .timedOut, .attemptTimedOut: timeOutFault
        case .download(let error): error.isServerFault ? .server : .caller
        case .transport(let error): error.fault
        case .status(511), .network: .network
        case .status(let status): (400...499).contains(status) && status != 429 ? .caller : .server
        case .hostPaused, .refused, .tooManyRedirects, .refusedRedirect, .emptyReply, .pending,
            .failedState,
            .malformedReply, .unexpectedReply:
            .server
        }
    }

    /// Whether the user has to log in: the server accepts no available token, and the app cannot
    /// get a new one otherwise.
    public var needsLogin: Bool {
        switch reason {
        case .noCredential, .credentialExpired: true
        case .credentialRefused: !contents.isRenewing
        case .credentialStore(let error): error.needsLogin
        case .refreshFailed: cause?.needsUserLogin ?? false
        default: false
        }
    }

    /// The fault of a time-out: the network's if the request was in flight. If the call was
    /// waiting, it is the caller's, unless the server asked for a pause or an earlier attempt
    /// failed through another's fault.
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

    /// Returns the API's code as a value of its generated type; `nil` if there is no code, or if
    /// the error is another API's.
    public func code<API: APIDescription>(in api: API.Type) -> API.ErrorCode? {
        guard let code, self.api.isEmpty || self.api == API.definition.name else { return nil }
        if let raw = code as? API.ErrorCode.RawValue { return API.ErrorCode(rawValue: raw) }
        guard let raw = Int(code) as? API.ErrorCode.RawValue else { return nil }
        return API.ErrorCode(rawValue: raw)
    }

    /// Returns the error object of the reply as a model.
    ///
    /// - Returns: `nil` if there was no error object, or if it does not match the model.
    public func detail<Model: JSONReadable>(as model: Model.Type = Model.self) -> Model? {
        contents.errorBodies.first.flatMap { try? Model(json: $0) }
    }

    /// Returns the error object of the reply as the model that the API's description names for all
    /// its errors.
    ///
    /// - Returns: `nil` if there was no error object, if it does not match the model, or if the error
    ///   is another API's.
    public func detail<API: APIDescription>(in api: API.Type) -> API.ErrorDetail? {
        self.api.isEmpty || self.api == API.definition.name ? detail(as: API.ErrorDetail.self) : nil
    }

    /// Returns the error objects of the reply as models, if it has several (`at: "errors[*]"`); at
    /// most 100. Those that do not match the model are left out.
    public func details<Model: JSONReadable>(as model: Model.Type = Model.self) -> [Model] {
        contents.errorBodies.compactMap { try? Model(json: $0) }
    }
}

extension Error {
    /// Whether this is an error of Telex after which the user has to log in.
    var needsUserLogin: Bool {
        (self as? CredentialError)?.needsLogin ?? (self as? APIError)?.needsLogin ?? false
    }
}

extension TransportError {
    var fault: APIError.Fault { kind.fault }
}

extension TransportError.Kind {
    var fault: APIError.Fault {
        switch self {
        case .tls, .tooLarge: .server
        case _ where isOfNetwork: .network
        default: .caller
        }
    }
}
