#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// The SHA-256 digest of bytes (FIPS 180-4).
func sha256(_ bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: bytes))
}

/// 32 bytes that nobody can guess, from the system's source.
func randomBytes() -> [UInt8] {
    SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
}
