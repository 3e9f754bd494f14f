/// The system's calls for one item of the keychain. Each returns the system's status.
///
/// Tests have an item of their own, because the keychain refuses executables that are not signed as
/// apps.
package protocol KeychainItem: Sendable {
    /// Reads the content.
    func read() -> (status: Int32, content: [UInt8])
    /// Replaces the content, if the item exists.
    func update(_ content: [UInt8]) -> Int32
    /// Adds the item, if it does not exist.
    func add(_ content: [UInt8]) -> Int32
    /// Removes the item.
    func delete() -> Int32
    /// The system's words for a status; nil if it has none.
    func message(for status: Int32) -> String?
}

/// The statuses of the keychain that have a meaning of their own, as in Apple's `SecBase.h`.
package enum KeychainStatus {
    /// `errSecSuccess`
    package static let success: Int32 = 0
    /// `errSecDuplicateItem`
    package static let duplicateItem: Int32 = -25_299
    /// `errSecItemNotFound`
    package static let itemNotFound: Int32 = -25_300
}
