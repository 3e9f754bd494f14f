#if canImport(Security)
    import Foundation
    import Security

    /// Keeps a credential in the keychain, as a generic password of this device.
    ///
    /// On a Mac it is the data protection keychain, as on iOS: what is not signed as an app, such as a
    /// command-line tool, gets the error that an entitlement is missing (Apple's TN3137). Such a tool
    /// keeps its credential in a ``FileCredentialStore``.
    public final class KeychainCredentialStore: CredentialStore {
        /// The service under which the keychain keeps it.
        public let service: String

        /// A store for this service.
        public init(service: String) {
            self.service = service
        }

        /// The credential; nil if there is none.
        ///
        /// - Throws: If the keychain refuses, or holds something else.
        public func read() async throws(CredentialStoreError) -> Credential? {
            var query = self.query
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try check(status, .read)
            return try Credential(stored: [UInt8](found as? Data ?? Data()), in: "the keychain")
        }

        /// Keeps a credential in place of the old one.
        ///
        /// - Throws: If the keychain refuses.
        public func save(_ credential: Credential) async throws(CredentialStoreError) {
            guard try !update(credential), try !add(credential) else { return }
            // Somebody else has added one between the two.
            try check(try update(credential) ? errSecSuccess : errSecItemNotFound, .save)
        }

        /// Keeps a credential in place of an old one, unless that is no longer there. Who logs out or
        /// in before the last moment has done so: a credential that is gone is not put back. The
        /// keychain cannot compare, so what is kept in just that moment, by another process or by a
        /// login, is lost.
        ///
        /// - Returns: What is there now; nil if somebody has logged out.
        /// - Throws: If the keychain refuses, or holds something else.
        public func replace(
            _ old: Credential?, by new: Credential?
        ) async throws(CredentialStoreError) -> Credential? {
            let stored = try await read()
            guard stored?.token == old?.token else { return stored }
            guard let new else {
                try await clear()
                return nil
            }
            let isKept = try stored == nil ? add(new) : update(new)
            return isKept ? new : try await read()
        }

        /// - Returns: Whether there was one whose place it has taken.
        private func update(_ credential: Credential) throws(CredentialStoreError) -> Bool {
            let content: [CFString: Any] = [kSecValueData: Data(credential.stored)]
            let status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            if status == errSecItemNotFound { return false }
            try check(status, .save)
            return true
        }

        /// - Returns: Whether there was none.
        private func add(_ credential: Credential) throws(CredentialStoreError) -> Bool {
            var item = query
            item[kSecValueData] = Data(credential.stored)
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            let status = SecItemAdd(item as CFDictionary, nil)
            if status == errSecDuplicateItem { return false }
            try check(status, .save)
            return true
        }

        /// Removes the credential.
        ///
        /// - Throws: If the keychain refuses.
        public func clear() async throws(CredentialStoreError) {
            let status = SecItemDelete(query as CFDictionary)
            if status != errSecItemNotFound { try check(status, .clear) }
        }

        /// Runs the closure while nobody else in this process runs one for this service. The keychain
        /// has no lock between processes: an app and its extensions that share one may both refresh.
        /// Give them a ``FileCredentialStore`` in a shared container if their refresh tokens are
        /// good once, and heed what it says about apps that are suspended.
        ///
        /// - Throws: `CancellationError` if the task is cancelled while it waits, and what `body`
        ///   throws.
        public func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T {
            try await LockRegistry.shared.withLock(.named(service, kind: "keychain"), body)
        }

        private var query: [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service,
                kSecAttrAccount: "telex", kSecUseDataProtectionKeychain: true,
            ]
        }

        private func check(
            _ status: OSStatus, _ task: CredentialStoreError.Task
        ) throws(CredentialStoreError) {
            guard status != errSecSuccess else { return }
            let words = SecCopyErrorMessageString(status, nil) as String?
            throw CredentialStoreError(task, words ?? "keychain status \(status)")
        }
    }

    extension CredentialStore where Self == KeychainCredentialStore {
        /// A store in the keychain, under this service.
        public static func keychain(_ service: String) -> KeychainCredentialStore {
            KeychainCredentialStore(service: service)
        }
    }
#endif
