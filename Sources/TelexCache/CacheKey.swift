import TelexTransport

/// The key of a stored reply. It consists of hashes, so that it shows no part of a request.
package struct CacheKey: Sendable, Hashable {
    /// The owner of the reply: a login, or the calls without one.
    package let owner: String
    /// The address without its query. An unsafe request invalidates all that is stored for it.
    let address: String
    /// The method, the query and the header fields of the request.
    let variant: String

    /// - Parameters:
    ///   - owner: See ``ownerName(of:)``.
    ///   - address: The address without its query.
    ///   - request: The method, the query and the header fields, without the token. They are all
    ///     part of the key, so that `Vary` needs no comparison (RFC 9111, section 4.1).
    package init(owner: String, address: String, request: String) {
        self.owner = owner
        self.address = Self.addressName(of: address)
        variant = Self.hash(request)
    }

    /// The key in a file name of a ``DiskCache``; nil if the name is not one of those.
    init?(owner: String, fileName: String) {
        let parts = fileName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 32 }),
            fileName.utf8.allSatisfy({ "0123456789abcdef-".utf8.contains($0) })
        else { return nil }
        (self.owner, address, variant) = (owner, String(parts[0]), String(parts[1]))
    }

    var fileName: String { "\(address)-\(variant)" }

    /// The name of an address in keys.
    static func addressName(of address: String) -> String { hash(address) }

    /// The owner of the replies of a login; of calls without a credential if it is nil.
    package static func ownerName(of login: String?) -> String {
        login.map { hash("login \($0)") } ?? hash("")
    }

    /// 128 bits, so that no two texts have the same hash by chance.
    private static func hash(_ text: String) -> String {
        String(SHA256.hexadecimal(text.utf8).prefix(32))
    }
}
