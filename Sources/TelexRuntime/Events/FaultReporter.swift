import TelexCredentials
import TelexJSON

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Prints faults that an app must not overlook, even if it listens to no events: a credential store
/// that fails, so that logins are lost, or a template that cannot be used, so that nothing is checked.
///
/// Each text is printed once, and at most a hundred are. They contain no secrets.
final class FaultReporter: Sendable {
    /// Prints to the standard error.
    static let standardError: @Sendable (String) -> Void = { text in
        let line = Array("\(text)\n".utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    private static let most = 100

    private let print: @Sendable (String) -> Void
    private let printed = Lock<Set<String>>([])

    init(_ print: @escaping @Sendable (String) -> Void) {
        self.print = print
    }

    func report(_ text: String) {
        let isNew = printed.withLock { printed in
            printed.count < Self.most && printed.insert(text).inserted
        }
        if isNew { print(text) }
    }

    /// Reports a fault of an API.
    func report(_ fault: String, in api: String) { report("telex: fault in \(api): \(fault)") }

    /// Reports an error, if it is a fault of the credential store.
    func report(_ error: any Error, api: String) {
        let cause = error.refreshCause
        let isOfStore: Bool =
            if case .credentialStore? = (cause as? APIError)?.reason { true } else {
                cause is CredentialStoreError
            }
        if isOfStore { report(error.safeDescription, in: api) }
    }
}
