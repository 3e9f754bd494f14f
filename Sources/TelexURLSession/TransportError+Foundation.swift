import Foundation
import TelexRuntime

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// What an error of Foundation means.
    init(_ error: any Error) {
        let code = (error as? URLError)?.code
        let number = code.map { " (URLError \($0.rawValue))" } ?? ""
        let words = error.localizedDescription
        self.init(Kind(code, words), words + number)
    }

    /// What it means for an exchange. After the head, whatever ends the connection has cut the body
    /// short. What was sent to a server may have reached it, though no other connection could be made
    /// afterwards.
    ///
    /// - Parameters:
    ///   - hasSent: Whether bytes of the body were sent.
    ///   - received: How many bytes of the reply's body are there; nil if there is no head.
    ///   - expected: How many there were to be, if that is known.
    init(_ error: any Error, hasSent: Bool, received: Int?, of expected: Int?) {
        self.init(error)
        if kind == .cancelled || kind == .timedOut { return }
        if let received {
            self = .truncated(received: received, expected: expected)
        } else if hasSent, [.offline, .nameNotFound, .cannotConnect].contains(kind) {
            kind = .connectionLost
        }
    }
}

extension TransportError.Kind {
    /// corelibs-foundation has one code for all that it does not know, and takes any failure for one
    /// to connect if the first of several addresses of a host refused, whatever came of the others.
    /// There the words of libcurl decide.
    fileprivate init(_ code: URLError.Code?, _ words: String) {
        self.init(code)
        #if canImport(FoundationNetworking)
            if code == .unknown || code == .cannotConnectToHost {
                self = words.kind ?? (self == .cannotConnect ? .connectionLost : self)
            }
        #endif
    }

    /// `.badURL` and `.unsupportedURL` are left out: the address has been checked before, and
    /// corelibs-foundation means a reply that is no HTTP.
    fileprivate init(_ code: URLError.Code?) {
        self =
            switch code {
            case .cancelled, .userCancelledAuthentication: .cancelled
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
                .offline
            case .cannotFindHost, .dnsLookupFailed: .nameNotFound
            case .cannotConnectToHost: .cannotConnect
            case .networkConnectionLost, .badServerResponse: .connectionLost
            case .timedOut: .timedOut
            case .secureConnectionFailed, .serverCertificateHasBadDate,
                .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .tls
            default: .other
            }
    }
}

#if canImport(FoundationNetworking)
    extension String {
        /// What it means if libcurl says it; nil if the words tell nothing.
        fileprivate var kind: TransportError.Kind? {
            if isAboutConnecting { return .cannotConnect }
            return isAboutTLS ? .tls : nil
        }

        /// Whether no connection was made. The first is what libcurl says with the name of the host,
        /// which may hold any other words, and the others what it says without.
        private var isAboutConnecting: Bool {
            ["Failed to connect to ", "Couldn't connect to ", "Could not connect to "]
                .contains { hasPrefix($0) }
        }

        /// Whether it is about certificates and handshakes. A connection that is lost meanwhile is no
        /// lack of trust.
        private var isAboutTLS: Bool {
            ["SSL", "TLS", "certificate"].contains { contains($0) }
                && !["SSL_read", "SSL_write", "SYSCALL", "errno", "reset"]
                    .contains { contains($0) }
        }
    }
#endif
