import Foundation
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// Converts an error of Foundation.
    init(_ error: any Error) {
        let code = (error as? URLError)?.code
        let number = code.map { " (URLError \($0.rawValue))" } ?? ""
        let words = error.localizedDescription
        self.init(Kind(code, words), words + number)
    }

    /// Converts an error at a given point of an exchange. After the head, any loss of the
    /// connection truncates the body. Body bytes that were sent may have reached the server, even
    /// if Foundation could not connect again afterwards.
    ///
    /// - Parameters:
    ///   - hasSent: Whether bytes of the body were sent.
    ///   - received: The number of received body bytes of the reply; nil if there is no head.
    ///   - expected: The declared length of the body, if known.
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
    /// corelibs-foundation has one code for all unknown errors. It also reports any failure as a
    /// failure to connect if the first of several addresses of a host refused, whatever happened
    /// with the others. In both cases the message of libcurl decides.
    fileprivate init(_ code: URLError.Code?, _ words: String) {
        self.init(code)
        #if canImport(FoundationNetworking)
            if code == .unknown || code == .cannotConnectToHost {
                self = words.kind ?? (self == .cannotConnect ? .connectionLost : self)
            }
        #endif
    }

    /// `.badURL` and `.unsupportedURL` are left out: the address has been checked before, and
    /// corelibs-foundation uses these codes for replies that are not HTTP.
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
        /// The kind for a message of libcurl; nil if it is not recognized.
        fileprivate var kind: TransportError.Kind? {
            if isAboutConnecting { return .cannotConnect }
            return isAboutTLS ? .tls : nil
        }

        /// Whether the message means that no connection was made. The prefixes are compared because
        /// the name of the host, which may contain any words, follows the first one.
        private var isAboutConnecting: Bool {
            ["Failed to connect to ", "Couldn't connect to ", "Could not connect to "]
                .contains { hasPrefix($0) }
        }

        /// Whether the message is about certificates or handshakes. A connection lost during a
        /// handshake is not a TLS failure.
        private var isAboutTLS: Bool {
            ["SSL", "TLS", "certificate"].contains { contains($0) }
                && !["SSL_read", "SSL_write", "SYSCALL", "errno", "reset"]
                    .contains { contains($0) }
        }
    }
#endif
