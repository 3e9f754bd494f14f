#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A source of the secrets that a spec names with `$secret.NAME`, so that the generated code does
/// not contain them. A dictionary is one, and so is ``EnvironmentSecrets``.
public protocol SecretProvider: Sendable {
    /// Returns a secret. It is asked again for each request that sends the secret.
    ///
    /// - Returns: The secret; nil if there is none of this name, which makes the call fail with
    ///   `invalidRequest`.
    /// - Throws: Any error. The call then fails in the phase `auth`; texts contain only the error's
    ///   type.
    func secret(named name: String) async throws -> String?
}

extension SecretProvider {
    /// Returns a secret, or nil if there is none or if it is empty. The error says which it is.
    package nonisolated(nonsending) func text(
        of name: String
    ) async throws(CredentialStoreError) -> String? {
        do {
            let text = try await secret(named: name)
            return text?.isEmpty == true ? nil : text
        } catch {
            throw CredentialStoreError(.read, "the secret `\(name)`: \(error.safeDescription)")
        }
    }
}

/// Secrets by their names.
extension Dictionary: SecretProvider where Key == String, Value == String {
    /// Returns the value of the name.
    public func secret(named name: String) async throws -> String? { self[name] }
}

/// The environment variables of the process.
public struct EnvironmentSecrets: SecretProvider {
    /// Creates a provider.
    public init() {}

    /// Returns the environment variable of the name.
    public func secret(named name: String) async throws -> String? {
        ProcessInfo.processInfo.environment[name]
    }
}

extension SecretProvider where Self == EnvironmentSecrets {
    /// The environment variables of the process.
    public static var environment: EnvironmentSecrets { EnvironmentSecrets() }
}
