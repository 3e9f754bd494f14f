import Foundation
import HTTPTypes
import Synchronization

/// A file that clients download, also in parts: it knows ranges and validators as RFC 9110,
/// sections 13 and 14 has them, but no conditions on dates (If-Modified-Since, If-Unmodified-Since).
/// It can be cut short, replaced and slow to change its mind.
///
/// ```swift
/// let film = FileOnServer(bytes, entityTag: "\"v1\"")
/// film.cutNextReply(after: 100_000)
/// let server = try LoopbackServer(film.answer)
/// ```
///
/// GET and HEAD are answered, everything else with 405. If-Match gives 412 and If-None-Match 304
/// where they should; Range counts only for GET, and only if If-Range, when there is one, names this
/// very version: its strong entity tag, or its Last-Modified to the letter. One range is sent as 206;
/// several are answered with the whole, which is allowed (RFC 9110, 14.2).
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

    private let state: Mutex<State>

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - entityTag: Its ETag with the quotes, such as `"\"1\""` or `"W/\"1\""`; `nil` if it has
    ///     none.
    ///   - modified: Its Last-Modified, to the second; `nil` (the default) if it has none.
    public init(_ bytes: [UInt8], entityTag: String?, modified: Date? = nil) {
        let validators = Self.validators(entityTag, modified)
        state = Mutex(State(bytes: bytes, validators: validators))
    }

    /// How many bytes of bodies have been given to clients so far, those cut off not counted. More
    /// than the file has means that something was sent twice.
    public var bodyBytesSent: Int { state.withLock { $0.bodyBytesSent } }

    /// Makes another file of it, for all requests from now on.
    public func replace(with bytes: [UInt8], entityTag: String?, modified: Date? = nil) {
        let validators = Self.validators(entityTag, modified)
        state.withLock { state in
            state.bytes = bytes
            state.validators = validators
        }
    }

    /// Has one of the next replies end early; called several times, one after the other each.
    ///
    /// - Parameters:
    ///   - count: After how many bytes of the body. A shorter body is sent whole, and uses the cut
    ///     up.
    ///   - end: How: `.reset` (the default), `.close` or `.stall`.
    public func cutNextReply(after count: Int, by end: LoopbackReply.Step = .reset) {
        state.withLock { $0.cuts.append(Cut(count: count, end: end)) }
    }

    /// Whether Range is understood; it is at first. If not, the whole is sent each time.
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

    /// In the order of RFC 9110, 13.2.2.
    private static func reply(to request: LoopbackRequest, _ state: State) -> LoopbackReply {
        let (asked, own) = (request.fields, state.validators)
        if let tags = asked[.ifMatch], !own.match(tags, isStrong: true) {
            return .bytes(status: 412, fields: own)
        }
        if let tags = asked[.ifNoneMatch], own.match(tags, isStrong: false) {
            return .bytes(status: 304, fields: own)
        }
        // Range means something for GET alone (section 14.2).
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
    /// Whether a list of entity tags has this one (RFC 9110, 8.8.3.2), or is `*`.
    fileprivate func match(_ list: String, isStrong: Bool) -> Bool {
        if list == "*" { return true }
        guard let own = self[.eTag], !(isStrong && own.hasPrefix("W/")) else { return false }
        return list.entityTags.contains { tag in
            isStrong ? tag == own[...] : tag.opaqueTag == own[...].opaqueTag
        }
    }

    /// Whether the value of If-Range names this version, strongly (RFC 9110, 13.1.5).
    fileprivate func isExactly(_ version: String) -> Bool {
        if version.hasPrefix("\"") { return version == self[.eTag] }
        return version == self[.lastModified]
    }
}

extension String {
    /// The entity tags of a list, each with its quotes; between these may be commas.
    fileprivate var entityTags: [Substring] {
        matches(of: #/(?:W/)?"[^"]*"/#).map(\.output)
    }
}

extension Substring {
    fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self }
}

extension LoopbackReply {
    /// The reply to HEAD.
    var withoutBody: LoopbackReply {
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
