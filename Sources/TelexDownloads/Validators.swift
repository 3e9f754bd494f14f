import HTTPTypes
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The validators that distinguish versions of a document (RFC 9110, section 8.8).
struct Validators: Equatable, Sendable {
    /// The value of `ETag`.
    package var tag: String?
    /// The value of `Last-Modified`, if it distinguishes versions reliably.
    package var modified: String?

    package init(tag: String? = nil, modified: String? = nil) {
        self.tag = tag
        self.modified = modified
    }

    /// The maximum length of an accepted `ETag`, more than any server needs.
    static let longestTag = 8_192

    /// Reads the validators of a reply. If its `ETag` is longer than ``longestTag``, there are
    /// none, because beside an `ETag` a date proves nothing.
    ///
    /// A date has a resolution of one second. It is used only if the reply was made at least a
    /// minute later by its own `Date`, which leaves room for clocks that differ (section 8.8.2.2).
    /// Without `Date` it is not used, because a cached reply may be old, and this device's clock
    /// may differ from the server's.
    package init(_ fields: HTTPFields, now: Date) {
        guard fields[.eTag]?.utf8.count ?? 0 <= Self.longestTag else { return }
        tag = fields[.eTag]
        guard let text = fields[.lastModified], let date = HTTPDate.date(from: text, now: now),
            let made = fields[.date].flatMap({ HTTPDate.date(from: $0, now: now) })
        else { return }
        if made.timeIntervalSince(date) >= 60 { modified = text }
    }

    /// The value for `If-Range` (section 13.1.5): a strong tag, or the date of a document without a
    /// tag; nil if there is neither, and the download cannot be continued.
    var strong: String? {
        if let tag { return Self.isStrong(tag) ? tag : nil }
        return modified
    }

    /// Whether the fields of a reply are of another version: compared by tags if both sides have
    /// one, otherwise by dates.
    func contradict(_ fields: HTTPFields) -> Bool {
        if let tag, let other = fields[.eTag] { return tag != other }
        if let modified, let other = fields[.lastModified] { return modified != other }
        return false
    }

    /// Whether a text is a strong entity tag (section 8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        guard tag.utf8.count >= 2, tag.utf8.first == 0x22, tag.utf8.last == 0x22 else {
            return false
        }
        return tag.utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
