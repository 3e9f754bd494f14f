import HTTPTypes
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A stored reply.
package struct CachedReply: Sendable, Equatable {
    /// The status codes whose replies are stored. The others are not cacheable by default, or are
    /// partial.
    private static let statuses: Set<Int> = [200, 203, 204, 404, 410]
    /// The largest total size of the header fields of a stored reply.
    static let largestHead = 65_536
    /// The length of an accepted validator, more than any server needs.
    private static let longestValidator = 8_192
    /// Fields that describe one connection or message (RFC 9111, section 3.1), or set state that
    /// must not be set again.
    private static let unstored: Set<String> = [
        "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
        "set-cookie", "set-cookie2", "clear-site-data",
    ]

    package var status: Int
    package var fields: HTTPFields
    package var body: [UInt8]
    /// When its request was sent.
    package var requested: Date
    /// When its head was received.
    package var received: Date
    /// Whether each use needs a validation, because the request was changed after the key was made.
    package var validatesAlways: Bool

    init(
        status: Int, fields: HTTPFields, body: [UInt8], requested: Date, received: Date,
        validatesAlways: Bool
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.requested = requested
        self.received = received
        self.validatesAlways = validatesAlways
    }

    /// Makes the stored form of a reply.
    ///
    /// - Parameters:
    ///   - changed: The request fields, in lower case, that an interceptor has changed, so that the
    ///     key of the reply does not contain their values.
    /// - Returns: Nil if the reply must not be stored.
    package init?(
        _ head: HTTPResponse, body: [UInt8], requested: Date, received: Date,
        changed: Set<String> = []
    ) {
        guard Self.statuses.contains(head.status.code) else { return nil }
        let varying = head.headerFields.names(in: .vary)
        self.init(
            status: head.status.code, fields: Self.storable(head.headerFields), body: body,
            requested: requested, received: received,
            validatesAlways: varying.contains(where: changed.contains))
        if !isStorable { return nil }
    }

    /// Whether the fields allow storing the reply. `Vary: *` does not, because then no later
    /// request is known to match (RFC 9111, section 4.1).
    private var isStorable: Bool {
        let size = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        return size <= Self.largestHead && !CacheControl(fields).isNotStored
            && !fields.names(in: .vary).contains("*")
    }

    private static func storable(_ fields: HTTPFields) -> HTTPFields {
        let unstored = unstored.union(fields.names(in: .connection))
        return HTTPFields(
            fields.filter { field in
                let name = field.name.canonicalName
                return !unstored.contains(name) && !name.hasPrefix("proxy-")
                    && !field.name.isSecret
            })
    }

    /// The head of the reply with its age, as a cache has to give it (RFC 9111, section 5.1).
    package func head(at now: Date) -> HTTPResponse {
        var fields = fields
        fields[.age] = String(Int(Freshness(of: self, at: now).age))
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }

    // MARK: Validation

    /// The fields that make a request conditional (RFC 9111, section 4.3.1); none if the reply has
    /// no validator.
    package var conditions: HTTPFields {
        var conditions = HTTPFields()
        conditions[.ifNoneMatch] = entityTag
        // The date is sent as the server wrote it, so that servers that compare texts find it.
        if let date = fields[.lastModified], HTTPDate.date(from: date, now: received) != nil {
            conditions[.ifModifiedSince] = date
        }
        return conditions
    }

    private var entityTag: String? {
        let tag = fields[.eTag] ?? ""
        let isTag = (tag.hasPrefix("\"") || tag.hasPrefix("W/\"")) && tag.hasSuffix("\"")
        return isTag && tag.utf8.count <= Self.longestValidator ? tag : nil
    }

    /// Returns the reply with the fields of a 304 that validated it (RFC 9111, section 4.3.4).
    ///
    /// - Returns: Nil if the 304 is about another version of the document; and whether the reply
    ///   may stay stored.
    package func validated(
        by head: HTTPResponse, requested: Date, received: Date
    ) -> (reply: CachedReply, isStorable: Bool)? {
        let new = head.headerFields
        if let tag = new[.eTag], let own = entityTag, tag.opaqueTag != own.opaqueTag { return nil }
        var reply = self
        // The body stays, so the fields about its form stay too (section 3.2).
        for name in Set(Self.storable(new).map(\.name)) where !name.describesContent {
            reply.fields[fields: name] = new[fields: name]
        }
        // The old age says nothing about the new validation.
        reply.fields[.age] = new[.age]
        (reply.requested, reply.received) = (requested, received)
        return (reply, reply.isStorable)
    }
}

extension HTTPField.Name {
    fileprivate var describesContent: Bool {
        [.contentLength, .contentEncoding, .contentType, .contentRange].contains(self)
    }
}

extension String {
    /// The entity tag without its mark of weakness; a 304 needs only a weak match (RFC 9110,
    /// section 8.8.3.2).
    fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
