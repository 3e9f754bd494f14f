#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// Cryptographic functions: from CryptoKit, or from swift-crypto where that is unavailable.
enum SecureBytes {
    /// The SHA-256 digest of bytes (FIPS 180-4).
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: bytes))
    }

    /// The MD5 digest of bytes (RFC 1321), which is broken as a signature. Only for servers that
    /// know no other one.
    static func md5(_ bytes: [UInt8]) -> [UInt8] {
        Array(Insecure.MD5.hash(data: bytes))
    }

    /// Returns 32 cryptographically random bytes.
    static func random() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }
}

/// Whether two texts are equal. The time depends only on their lengths, so that an attacker cannot
/// measure how much of a guess is right.
func isEqualInConstantTime(_ one: String, _ other: String) -> Bool {
    let one = Array(one.utf8)
    let other = Array(other.utf8)
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
