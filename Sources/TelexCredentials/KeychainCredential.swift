/// A credential in an item of the keychain: the work of `KeychainCredentialStore`.
package struct KeychainCredential<Item: KeychainItem>: Sendable {
    package let item: Item

    /// Returns the credential; nil if there is none.
    package func read() throws(CredentialStoreError) -> Credential? {
        let (status, content) = item.read()
        if status == KeychainStatus.itemNotFound { return nil }
        try check(status, .read)
        return try Credential(stored: content, in: "the keychain")
    }

    /// Stores a credential in place of the old one.
    package func save(_ credential: Credential) throws(CredentialStoreError) {
        guard try !update(credential), try !add(credential) else { return }
        // Another process has added an item between the two calls.
        if try !update(credential) { try check(KeychainStatus.itemNotFound, .save) }
    }

    /// Replaces a credential if it is still stored, and returns the one that is stored now.
    package func replace(
        _ old: Credential?, by new: Credential?
    ) throws(CredentialStoreError) -> Credential? {
        let stored = try read()
        guard stored?.token == old?.token else { return stored }
        guard let new else {
            try clear()
            return nil
        }
        // A log-out or a login since then takes effect.
        let isKept = try stored == nil ? add(new) : update(new)
        return isKept ? new : try read()
    }

    /// Removes the credential.
    package func clear() throws(CredentialStoreError) {
        let status = item.delete()
        if status != KeychainStatus.itemNotFound { try check(status, .clear) }
    }

    /// - Returns: Whether an item existed and was replaced.
    private func update(_ credential: Credential) throws(CredentialStoreError) -> Bool {
        let status = item.update(credential.stored)
        if status == KeychainStatus.itemNotFound { return false }
        try check(status, .save)
        return true
    }

    /// - Returns: Whether the item was added because none existed.
    private func add(_ credential: Credential) throws(CredentialStoreError) -> Bool {
        let status = item.add(credential.stored)
        if status == KeychainStatus.duplicateItem { return false }
        try check(status, .save)
        return true
    }

    private func check(
        _ status: Int32, _ task: CredentialStoreError.Task
    ) throws(CredentialStoreError) {
        guard status != KeychainStatus.success else { return }
        throw CredentialStoreError(
            task, item.message(for: status) ?? "keychain status \(status)")
    }
}
