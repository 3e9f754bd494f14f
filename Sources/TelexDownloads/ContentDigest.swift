import HTTPTypes
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The SHA-256 of a document that a server sent (RFC 9530).
package struct ContentDigest: Equatable, Sendable {
    /// The 32 bytes in Base 64.
    let base64: String

    /// Reads Base 64; nil if it does not contain 32 bytes.
    init?(base64: some StringProtocol) {
        guard let bytes = Data(base64Encoded: String(base64)), bytes.count == 32 else { return nil }
        self.base64 = bytes.base64EncodedString()
    }

    /// Reads a dictionary of digests, each as `sha-256=:` with Base 64 and a colon. Other algorithms
    /// are ignored, as section 2 permits; nil if there is no valid SHA-256.
    init?(field: String) {
        // The last member with a key counts (RFC 9651, section 3.2).
        let values = field.split(separator: ",").compactMap { member -> Substring? in
            let parts = member.split(separator: ":", omittingEmptySubsequences: false)
            let isValue = parts.count == 3 && parts[0].withoutOptionalSpace == "sha-256="
            return isValue ? parts[1] : nil
        }
        self.init(base64: values.last ?? "")
    }

    /// Returns the digest of all bytes of a file.
    init(of file: borrowing OpenFile) throws(DiskFile.Problem) {
        var hash = SHA256()
        var offset = 0
        while case let piece = try file.bytes(at: offset, limit: 1 << 18), !piece.isEmpty {
            hash.update(piece)
            offset += piece.count
        }
        base64 = Data(hash.value).base64EncodedString()
    }
}

extension HTTPField.Name {
    /// The digest of the whole document, also beside a part of it (RFC 9530, section 3).
    static let reprDigest = Self("Repr-Digest")!
    /// The digest of the bytes of this reply (RFC 9530, section 2).
    static let contentDigest = Self("Content-Digest")!
}
