#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// What apps show with `localizedDescription` is what the errors say of themselves. It is meant for
// developers and in English; what users read is better made of `reason`.

extension APIError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension OperationError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension CredentialError: LocalizedError {
    /// The same as ``message``.
    public var errorDescription: String? { message }
}

extension CredentialStoreError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension LogOutError: LocalizedError {
    /// The same as ``description``.
    public var errorDescription: String? { description }
}
