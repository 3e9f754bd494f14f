import HTTPTypes
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The SHA-256 of a document that a server sent (RFC 9530).
package struct ContentDigest: Equatable, Sendable {
    package let hexadecimal: String

    package init(hexadecimal: String) {
        self.hexadecimal = hexadecimal
    }

    /// Reads a dictionary of digests, each as `sha-256=:` with Base 64 and a colon. Other algorithms
    /// are ignored, as section 2 permits; nil if there is no valid SHA-256.
    init?(_ field: String) {
        let values = field.split(separator: ",").compactMap { member -> Data? in
            let parts = member.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].withoutOptionalSpace == "sha-256=" else { return nil }
            return Data(base64Encoded: String(parts[1]))
        }
        // The last member with a key counts (RFC 9651, section 3.2).
        guard let value = values.last, value.count == 32 else { return nil }
        hexadecimal = value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Returns the digest of all bytes of a file.
    init(of file: borrowing OpenFile) throws(DiskFile.Problem) {
        var hash = SHA256()
        var offset = 0
        while case let piece = try file.bytes(at: offset, limit: 1 << 18), !piece.isEmpty {
            hash.update(piece)
            offset += piece.count
        }
        hexadecimal = hash.hexadecimal
    }
}

extension HTTPField.Name {
    /// The digest of the whole document, also beside a part of it (RFC 9530, section 3).
    static let reprDigest = Self("Repr-Digest")!
    /// The digest of the bytes of this reply (RFC 9530, section 2).
    static let contentDigest = Self("Content-Digest")!
}
