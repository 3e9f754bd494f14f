import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What tells one version of a document from another (RFC 9110, section 8.8).
struct Validators: Equatable, Sendable {
    /// `ETag` as it came.
    var tag: String?
    /// `Last-Modified` as it came, if it tells versions apart for sure.
    var modified: String?

    init(tag: String? = nil, modified: String? = nil) {
        self.tag = tag
        self.modified = modified
    }

    /// More than any server needs.
    static let longestTag = 8_192

    /// Those of a reply; none if its tag is longer than ``longestTag``, which nobody keeps or sends back:
    /// beside a tag, a date proves nothing.
    ///
    /// A date has a resolution of a second. It counts only if the document was at rest by then,
    /// with room for clocks that differ (section 8.8.2.2): if the reply was made a minute later or
    /// more, by its `Date`. Without one nobody knows: it may be old, and this device's clock is
    /// another one.
    init(_ fields: HTTPFields, now: Date) {
        guard fields[.eTag]?.utf8.count ?? 0 <= Self.longestTag else { return }
        tag = fields[.eTag]
        guard let text = fields[.lastModified], let date = HTTPDate.date(from: text, now: now),
            let made = fields[.date].flatMap({ HTTPDate.date(from: $0, now: now) })
        else { return }
        if made.timeIntervalSince(date) >= 60 { modified = text }
    }

    /// What `If-Range` may carry (section 13.1.5): a strong tag, or the date of a document that has
    /// no tag at all; nil if neither is there, and the document cannot be continued.
    var strong: String? {
        if let tag { return Self.isStrong(tag) ? tag : nil }
        return modified
    }

    /// Whether the fields of a reply belong to another version: by their tags if both sides have one,
    /// else by their dates.
    func contradict(_ fields: HTTPFields) -> Bool {
        if let tag, let other = fields[.eTag] { return tag != other }
        if let modified, let other = fields[.lastModified] { return modified != other }
        return false
    }

    /// Whether a text is an entity tag that is not weak (section 8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        guard tag.utf8.count >= 2, tag.utf8.first == 0x22, tag.utf8.last == 0x22 else {
            return false
        }
        return tag.utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
