import TelexTransport

/// Digests and random bytes, without a library: CryptoKit is Apple's alone, and for other systems every
/// user of the package would fetch 42 MB for two functions.
enum SecureBytes {
    /// The SHA-256 digest of bytes (FIPS 180-4).
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.value
    }

    /// Returns 32 cryptographically random bytes, from the source of the system.
    static func random() -> [UInt8] {
        var source = SystemRandomNumberGenerator()
        return (0..<32).map { _ in .random(in: .min ... .max, using: &source) }
    }
}
