#if canImport(Security)
    /// A store that keeps a credential in the keychain, as a generic password of this device.
    ///
    /// On macOS it uses the data protection keychain, as on iOS. An executable that is not signed
    /// as an app, such as a command-line tool, gets the error that an entitlement is missing
    /// (Apple's TN3137). Such a tool should use a ``FileCredentialStore``.
    public final class KeychainCredentialStore: CredentialStore {
        /// The service name of the keychain item.
        public let service: String

        private let credential: KeychainCredential<SystemKeychainItem>

        /// Makes a store for this service.
        public init(service: String) {
            self.service = service
            credential = KeychainCredential(item: SystemKeychainItem(service: service))
        }

        /// Returns the credential; `nil` if there is none.
        ///
        /// - Throws: If the keychain fails, or if its item is not a credential.
        public func read() async throws(CredentialStoreError) -> Credential? {
            try credential.read()
        }

        /// Stores a credential in place of the old one.
        ///
        /// - Throws: If the keychain fails.
        public func save(_ credential: Credential) async throws(CredentialStoreError) {
            try self.credential.save(credential)
        }

        /// Replaces a credential if it is still stored. A log-out or login before the final write
        /// takes effect: a removed credential is not restored. The keychain has no atomic
        /// comparison, so a credential that another process or a login saves between the comparison
        /// and the final write is lost.
        ///
        /// - Returns: The credential that is stored now; `nil` after a log-out.
        /// - Throws: If the keychain fails, or if its item is not a credential.
        public func replace(
            _ old: Credential?, by new: Credential?
        ) async throws(CredentialStoreError) -> Credential? {
            try credential.replace(old, by: new)
        }

        /// Removes the credential.
        ///
        /// - Throws: If the keychain fails.
        public func clear() async throws(CredentialStoreError) {
            try credential.clear()
        }

        /// Runs the closure exclusively for this service within this process. The keychain has no
        /// lock among processes, so an app and its extensions that share an item may refresh at the
        /// same time. If their refresh tokens are valid only once, use a ``FileCredentialStore`` in
        /// a shared container, and note its advice on suspended apps.
        ///
        /// - Throws: `CancellationError` if the task is cancelled while it waits, and the errors of
        ///   `body`.
        public func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T {
            try await LockRegistry.shared.withLock(.named(service, kind: "keychain"), body)
        }
    }

    extension CredentialStore where Self == KeychainCredentialStore {
        /// Makes a store in the keychain for this service.
        public static func keychain(_ service: String) -> KeychainCredentialStore {
            KeychainCredentialStore(service: service)
        }
    }
#endif
