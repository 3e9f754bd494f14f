import Foundation
import HTTPTypes
import TelexJSON

/// A file that clients download, whole or in ranges. It supports ranges and validators (RFC 9110,
/// sections 13 and 14), but no date conditions (If-Modified-Since, If-Unmodified-Since). A test can
/// truncate replies, replace the file and disable ranges.
///
/// ```swift
/// let film = FileOnServer(bytes, entityTag: "\"v1\"")
/// film.cutNextReply(after: 100_000)
/// let server = try LoopbackServer(film.answer)
/// ```
///
/// GET and HEAD are answered, other methods get 405. If-Match leads to 412 and If-None-Match to 304
/// where RFC 9110 requires it. Range counts only for GET. If there is an If-Range, it must match
/// the current version: its strong entity tag, or exactly its Last-Modified. One range is sent as
/// 206; for several ranges, the whole file is sent, as RFC 9110, 14.2 allows.
public final class FileOnServer: Sendable {
    private struct State {
        var bytes: [UInt8]
        var validators: HTTPFields
        var cuts: ArraySlice<Cut> = []
        var knowsRanges = true
        var bodyBytesSent = 0
    }

    private struct Cut {
        let count: Int
        let end: LoopbackReply.Step
    }

    private let state: Lock<State>

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - entityTag: The ETag with its quotes, such as `"\"1\""` or `"W/\"1\""`; `nil` for none.
    ///   - modified: The Last-Modified, to the second; `nil` (the default) for none.
    public init(_ bytes: [UInt8], entityTag: String?, modified: Date? = nil) {
        let validators = Self.validators(entityTag, modified)
        state = Lock(State(bytes: bytes, validators: validators))
    }

    /// The number of body bytes sent so far, without those cut off. If it is larger than the file,
    /// something was sent twice.
    public var bodyBytesSent: Int { state.withLock { $0.bodyBytesSent } }

    /// Replaces the content and validators for all later requests.
    public func replace(with bytes: [UInt8], entityTag: String?, modified: Date? = nil) {
        let validators = Self.validators(entityTag, modified)
        state.withLock { state in
            state.bytes = bytes
            state.validators = validators
        }
    }

    /// Ends the next reply early. Several calls queue up: each cuts one reply, in order.
    ///
    /// - Parameters:
    ///   - count: The number of body bytes before the cut. A shorter body is sent whole and still
    ///     uses up the cut.
    ///   - end: How the reply ends: `.reset` (the default), `.close` or `.stall`.
    public func cutNextReply(after count: Int, by end: LoopbackReply.Step = .reset) {
        state.withLock { $0.cuts.append(Cut(count: count, end: end)) }
    }

    /// Sets whether Range is supported, as it is at first. If not, the whole file is sent each
    /// time.
    public func setKnowsRanges(_ knows: Bool) { state.withLock { $0.knowsRanges = knows } }

    /// Answers a request.
    public func answer(_ request: LoopbackRequest) -> LoopbackReply {
        guard ["GET", "HEAD"].contains(request.method) else {
            return .bytes(status: 405, fields: [.allow: "GET, HEAD"])
        }
        return state.withLock { state in
            let reply = Self.reply(to: request, state)
            guard request.method == "GET" else { return reply.withoutBody }
            let cut = state.cuts.popFirst()
            let sent = cut.map { reply.cut(after: $0.count, by: $0.end) } ?? reply
            state.bodyBytesSent += sent.bodyBytes
            return sent
        }
    }

    private static func validators(_ entityTag: String?, _ modified: Date?) -> HTTPFields {
        var fields = HTTPFields()
        fields[.eTag] = entityTag
        fields[.lastModified] = modified?.httpText
        return fields
    }

    /// Evaluates the conditions in the order of RFC 9110, 13.2.2.
    private static func reply(to request: LoopbackRequest, _ state: State) -> LoopbackReply {
        let (asked, own) = (request.fields, state.validators)
        if let tags = asked[.ifMatch], !own.match(tags, isStrong: true) {
            return .bytes(status: 412, fields: own)
        }
        if let tags = asked[.ifNoneMatch], own.match(tags, isStrong: false) {
            return .bytes(status: 304, fields: own)
        }
        // Range is defined for GET only (section 14.2).
        return part(request.method == "GET" ? range(asked, state) : .whole, of: state)
    }

    private static func range(_ asked: HTTPFields, _ state: State) -> ByteRange {
        if !state.knowsRanges { return .whole }
        if let version = asked[.ifRange], !state.validators.isExactly(version) { return .whole }
        return ByteRange(asked[.range], of: state.bytes.count)
    }

    private static func part(_ range: ByteRange, of state: State) -> LoopbackReply {
        let size = state.bytes.count
        var fields = state.validators
        fields[.acceptRanges] = state.knowsRanges ? "bytes" : "none"
        switch range {
        case .whole: return .bytes(state.bytes, fields: fields)
        case .part(let part):
            fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
            return .bytes(Array(state.bytes[part]), status: 206, fields: fields)
        case .unsatisfiable:
            fields[.contentRange] = "bytes */\(size)"
            return .bytes(status: 416, fields: fields)
        }
    }
}

extension HTTPFields {
    /// Whether a list of entity tags contains the file's (RFC 9110, 8.8.3.2), or is `*`.
    fileprivate func match(_ list: String, isStrong: Bool) -> Bool {
        if list == "*" { return true }
        guard let own = self[.eTag], !(isStrong && own.hasPrefix("W/")) else { return false }
        return list.entityTags.contains { tag in
            isStrong ? tag == own[...] : tag.opaqueTag == own[...].opaqueTag
        }
    }

    /// Whether the value of If-Range matches this version strongly (RFC 9110, 13.1.5).
    fileprivate func isExactly(_ version: String) -> Bool {
        if version.hasPrefix("\"") { return version == self[.eTag] }
        return version == self[.lastModified]
    }
}

extension String {
    /// The entity tags of a list, each with its quotes. A tag may contain commas.
    fileprivate var entityTags: [Substring] {
        matches(of: #/(?:W/)?"[^"]*"/#).map(\.output)
    }
}

extension Substring {
    fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self }
}

extension LoopbackReply {
    /// The reply without its body, for HEAD.
    package var withoutBody: LoopbackReply {
        var reply = self
        reply.steps.removeAll { if case .send = $0 { true } else { false } }
        return reply
    }

    fileprivate var bodyBytes: Int {
        steps.reduce(0) { sum, step in
            if case .send(let bytes) = step { sum + bytes.count } else { sum }
        }
    }
}
