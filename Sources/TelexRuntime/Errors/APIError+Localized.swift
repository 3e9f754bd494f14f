import TelexCredentials

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// `localizedDescription` returns the description of the errors, which is in English and meant for
// developers. Apps should make texts for users from `reason`.

extension APIError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension OperationError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension CredentialError: LocalizedError {
    /// The same text as ``message``.
    public var errorDescription: String? { message }
}

extension CredentialStoreError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension LogOutError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
