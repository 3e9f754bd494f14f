#if canImport(Security)
    import Foundation
    import Security

    /// A store that keeps a credential in the keychain, as a generic password of this device.
    ///
    /// On macOS it uses the data protection keychain, as on iOS. An executable that is not signed
    /// as an app, such as a command-line tool, gets the error that an entitlement is missing
    /// (Apple's TN3137). Such a tool should use a ``FileCredentialStore``.
    public final class KeychainCredentialStore: CredentialStore {
        /// The service name of the keychain item.
        public let service: String

        /// Makes a store for this service.
        public init(service: String) {
            self.service = service
        }

        /// Returns the credential; `nil` if there is none.
        ///
        /// - Throws: If the keychain fails, or if its item is not a credential.
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

        /// Stores a credential in place of the old one.
        ///
        /// - Throws: If the keychain fails.
        public func save(_ credential: Credential) async throws(CredentialStoreError) {
            guard try !update(credential), try !add(credential) else { return }
            // Another process has added an item between the two calls.
            try check(try update(credential) ? errSecSuccess : errSecItemNotFound, .save)
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
            let stored = try await read()
            guard stored?.token == old?.token else { return stored }
            guard let new else {
                try await clear()
                return nil
            }
            let isKept = try stored == nil ? add(new) : update(new)
            return isKept ? new : try await read()
        }

        /// - Returns: Whether an item existed and was replaced.
        private func update(_ credential: Credential) throws(CredentialStoreError) -> Bool {
            let content: [CFString: Any] = [kSecValueData: Data(credential.stored)]
            let status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            if status == errSecItemNotFound { return false }
            try check(status, .save)
            return true
        }

        /// - Returns: Whether the item was added because none existed.
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
        /// - Throws: If the keychain fails.
        public func clear() async throws(CredentialStoreError) {
            let status = SecItemDelete(query as CFDictionary)
            if status != errSecItemNotFound { try check(status, .clear) }
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
        /// Makes a store in the keychain for this service.
        public static func keychain(_ service: String) -> KeychainCredentialStore {
            KeychainCredentialStore(service: service)
        }
    }
#endif
