import HTTPTypes
import TelexJSON
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PartialFile {
    /// The action to take for a reply.
    package enum ReplyAction: Sendable, Hashable {
        /// Receive the body, which starts at ``PartialFile/offset``; that is 0 if the server sends
        /// everything.
        case receive
        /// All bytes are present: drop the body and finish.
        case complete
        /// The reply does not match the bytes on disk, which have been dropped: drop the body too,
        /// and send the request again, with the new ``PartialFile/requestFields``.
        case requestAgain
    }

    /// Decides from the head of a reply how the download continues (RFC 9110, sections 14 and
    /// 15.3.7).
    ///
    /// - Parameter now: The time of day.
    /// - Throws: `unexpectedStatus` for a reply without content of the document; `wrongRange` for a
    ///   part that was neither requested nor starts at the first byte; or a disk error. The bytes
    ///   on disk then stay.
    package mutating func accept(_ head: HTTPResponse, at now: Date) throws(DownloadError)
        -> ReplyAction
    {
        if isFinished { throw DownloadError(destination, reason: .notReceiving) }
        let fields = head.headerFields
        switch head.status.code {
        case 206: return try acceptPart(fields, now)
        case 416 where validator != nil: return try acceptEnd(fields)
        case 204, 205: throw DownloadError(destination, reason: .unexpectedStatus(head.status.code))
        case 200...299:
            let length = fields.declaredLength
            return try begin(fields, length: length, end: length, now: now)
        default: throw DownloadError(destination, reason: .unexpectedStatus(head.status.code))
        }
    }

    /// 206 Partial Content.
    private mutating func acceptPart(
        _ fields: HTTPFields, _ now: Date
    ) throws(DownloadError) -> ReplyAction {
        if validator != nil, isOfOtherVersion(fields) { return try startOver() }
        guard case .part(let range, let total) = fields.contentRange, !fields.isEncoded,
            range.lowerBound == resumeOffset
        else {
            // The server may still be able to send the whole document.
            guard validator == nil else { return try startOver() }
            throw wrongRange(fields)
        }
        let end = range.upperBound + 1
        guard validator != nil else { return try begin(fields, length: total, end: end, now: now) }
        journal?.describe(fields)
        let wasClosed = journal?.received != nil
        journal?.received = nil
        if wasClosed || expected == nil && total != nil {
            try saveJournal(length: expected ?? total)
        }
        phase = .receiving(end: end)
        return .receive
    }

    private func isOfOtherVersion(_ fields: HTTPFields) -> Bool {
        if fields.isEncoded || journal?.validators.contradict(fields) ?? true { return true }
        guard case .part(_, let total?) = fields.contentRange, let expected else { return false }
        return total != expected
    }

    /// 416 Range Not Satisfiable: the bytes on disk are complete, or they are of another version.
    private mutating func acceptEnd(_ fields: HTTPFields) throws(DownloadError) -> ReplyAction {
        guard fields.contentRange == .unsatisfied(total: offset), expected ?? offset == offset,
            journal?.validators.contradict(fields) == false
        else { return try startOver() }
        phase = .complete
        return .complete
    }

    /// Starts at the first byte. The old bytes are removed before the new journal is written,
    /// because it would otherwise describe them.
    private mutating func begin(
        _ fields: HTTPFields, length: Int?, end: Int?, now: Date
    ) throws(DownloadError) -> ReplyAction {
        try empty()
        // Ranges count encoded bytes, but the received bytes may have been decoded.
        let canTell = supportsRanges && !fields.isEncoded
        let validators = canTell ? Validators(fields, now: now) : Validators()
        journal = PartialJournal(source: source, validators: validators, length: nil)
        journal?.describe(fields)
        // Digests of encoded bytes say nothing about the decoded ones.
        if fields.isEncoded { journal?.digest = nil }
        if end == length, !fields.isEncoded, journal?.digest == nil {
            journal?.digest = fields[.contentDigest].flatMap(ContentDigest.init(field:))
        }
        try saveJournal(length: length)
        phase = .receiving(end: end)
        return .receive
    }

    private mutating func startOver() throws(DownloadError) -> ReplyAction {
        try empty()
        return .requestAgain
    }

    package mutating func empty() throws(DownloadError) {
        phase = .idle
        journal = nil
        try truncate()
        offset = 0
    }

    private func truncate() throws(DownloadError) {
        try disk { () throws(DiskFile.Problem) in
            guard try file.size() > 0 else { return }
            try file.empty()
            try file.writeBarrier()
        }
    }

    /// Writes the journal. It is also written for a part that cannot be continued, so that a later
    /// download recognizes the partial file.
    private mutating func saveJournal(length: Int?) throws(DownloadError) {
        journal?.length = length
        try writeJournal()
    }

    /// - Parameter isDurable: Whether the journal survives a loss of power, too.
    func writeJournal(isDurable: Bool = true) throws(DownloadError) {
        let path = Self.journal(at: destination)
        guard let journal else { return }
        try disk { () throws(DiskFile.Problem) in
            try DiskFile.replace(path, with: journal.stored, isDurable: isDurable)
        }
    }

    private func wrongRange(_ fields: HTTPFields) -> DownloadError {
        let found = fields[.contentRange].map(Violation.bounded)
        return DownloadError(
            destination, reason: .wrongRange(expectedFirst: resumeOffset, found: found))
    }
}

extension HTTPFields {
    /// Whether the received bytes may differ from the encoded bytes that the server counts.
    fileprivate var isEncoded: Bool {
        self[.contentEncoding].map { $0.withoutOptionalSpace.lowercased() != "identity" } ?? false
    }

    /// The declared length of the body. `Content-Length` is ignored if there is a transfer coding
    /// (RFC 9112, section 6.3).
    fileprivate var declaredLength: Int? {
        guard !isEncoded, self[.transferEncoding] == nil else { return nil }
        return self[.contentLength].flatMap { Int(digits: $0) }
    }

    fileprivate var contentRange: ContentRange? { self[.contentRange].flatMap(ContentRange.init) }
}
