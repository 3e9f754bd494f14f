import HTTPTypes
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PartialFile {
    /// What to do with a reply.
    enum Verdict: Sendable, Hashable {
        /// Its body goes on at ``PartialFile/offset``, which is 0 if the server sends everything.
        case receive
        /// All bytes are there already: drop the body and finish.
        case complete
        /// It does not fit what was there, which has been dropped: drop the body too, and send the
        /// request again, with the new ``PartialFile/requestFields``.
        case askAgain
    }

    /// Decides from the head of a reply how the download goes on (RFC 9110, sections 14 and 15.3.7).
    ///
    /// - Parameter now: The time of day.
    /// - Throws: `unexpectedStatus` for a reply that has no part of the document; `wrongRange` for
    ///   a part that nobody asked for and is not the beginning; what the disk says. What is on disk
    ///   stays then.
    mutating func accept(_ head: HTTPResponse, at now: Date) throws(DownloadError) -> Verdict {
        if isFinished { throw DownloadError(destination, .notReceiving) }
        let fields = head.headerFields
        switch head.status.code {
        case 206: return try acceptPart(fields, now)
        case 416 where validator != nil: return try acceptEnd(fields)
        case 204, 205: throw DownloadError(destination, .unexpectedStatus(head.status.code))
        case 200...299:
            let length = fields.declaredLength
            return try begin(fields, length: length, end: length, now)
        default: throw DownloadError(destination, .unexpectedStatus(head.status.code))
        }
    }

    /// 206 Partial Content.
    private mutating func acceptPart(
        _ fields: HTTPFields, _ now: Date
    ) throws(DownloadError) -> Verdict {
        if validator != nil, isOfOtherVersion(fields) { return try startOver() }
        guard case .part(let range, let total) = fields.contentRange, !fields.isEncoded,
            range.lowerBound == resumption
        else {
            // A server that cannot send the rest may still send the whole.
            guard validator == nil else { return try startOver() }
            throw wrongRange(fields)
        }
        let end = range.upperBound + 1
        guard validator != nil else { return try begin(fields, length: total, end: end, now) }
        journal?.describe(fields)
        if let total, expected == nil { try vouch(length: total) }
        phase = .receiving(end: end)
        return .receive
    }

    private func isOfOtherVersion(_ fields: HTTPFields) -> Bool {
        if fields.isEncoded || journal?.validators.contradict(fields) ?? true { return true }
        guard case .part(_, let total?) = fields.contentRange, let expected else { return false }
        return total != expected
    }

    /// 416 Range Not Satisfiable: there is nothing behind what is on disk, or it was never of this
    /// document.
    private mutating func acceptEnd(_ fields: HTTPFields) throws(DownloadError) -> Verdict {
        guard fields.contentRange == .unsatisfied(total: offset), expected ?? offset == offset,
            journal?.validators.contradict(fields) == false
        else { return try startOver() }
        phase = .complete
        return .complete
    }

    /// Everything from the first byte on. The old bytes go before the journal that would vouch for
    /// them comes.
    private mutating func begin(
        _ fields: HTTPFields, length: Int?, end: Int?, _ now: Date
    ) throws(DownloadError) -> Verdict {
        try empty()
        // Bytes that were decoded on the way are not those that ranges count.
        let canTell = hasParts && !fields.isEncoded
        let validators = canTell ? Validators(fields, now: now) : Validators()
        journal = PartialJournal(source: source, validators: validators, length: nil)
        journal?.describe(fields)
        try vouch(length: length)
        phase = .receiving(end: end)
        return .receive
    }

    private mutating func startOver() throws(DownloadError) -> Verdict {
        try empty()
        return .askAgain
    }

    mutating func empty() throws(DownloadError) {
        phase = .idle
        journal = nil
        try truncate()
        offset = 0
    }

    private func truncate() throws(DownloadError) {
        try disk { () throws(DiskFile.Problem) in
            guard try file.size() > 0 else { return }
            try file.empty()
            try file.order()
        }
    }

    /// Writes the journal, by which a later download also knows a part for its own that it cannot
    /// continue.
    private mutating func vouch(length: Int?) throws(DownloadError) {
        journal?.length = length
        try writeJournal()
    }

    private func writeJournal() throws(DownloadError) {
        let path = Self.journal(at: destination)
        guard let journal else { return }
        try disk { () throws(DiskFile.Problem) in
            try DiskFile.replace(path, with: journal.stored)
        }
    }

    private func wrongRange(_ fields: HTTPFields) -> DownloadError {
        let found = fields[.contentRange].map(Violation.bounded)
        return DownloadError(destination, .wrongRange(expectedFirst: resumption, found: found))
    }
}

extension HTTPFields {
    /// Whether the bytes that arrive may not be those that the server counts.
    fileprivate var isEncoded: Bool {
        self[.contentEncoding].map { $0.withoutOptionalSpace.lowercased() != "identity" } ?? false
    }

    /// How many bytes the body has. With a transfer coding the field that tells it is to be ignored
    /// (RFC 9112, section 6.3).
    fileprivate var declaredLength: Int? {
        guard !isEncoded, self[.transferEncoding] == nil else { return nil }
        return self[.contentLength].flatMap { Int(digits: $0) }
    }

    fileprivate var contentRange: ContentRange? { self[.contentRange].flatMap(ContentRange.init) }
}
