import Foundation
import HTTPTypes
import TelexTesting

/// A request and its reply, as a mock lists them.
public struct MockExchange: Sendable {
    /// The name of the method; nil if the spec has none for the request.
    public internal(set) var method: String?
    /// The request.
    public let request: LoopbackRequest
    /// The reply, of which faults may have made anything.
    public private(set) var reply = LoopbackReply([])
    /// The status; nil if no head was sent.
    public private(set) var status: Int?
    /// Where the reply is from, or why it is a refusal.
    public internal(set) var note = ""
    /// When the request had arrived.
    public let started: Date
    /// How long the reply took to be made, and how long it is held back.
    public private(set) var duration = Duration.zero

    init(request: LoopbackRequest, started: Date) {
        self.request = request
        self.started = started
    }

    mutating func finish(_ reply: LoopbackReply, _ duration: Duration) {
        self.reply = reply
        self.duration = duration
        status = reply.head?.status.code
        if note.isEmpty, status == 429 { note = "above the limit" }
    }

    /// The exchange in one line. The query is left out, since it may have secrets.
    public var line: String {
        let parts = [
            "\(request.method) \(request.path)", method ?? "-", status.map { "\($0)" } ?? "-", note,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ").onOneLine
    }
}

/// How many exchanges there were.
public struct MockSummary: Sendable, Hashable {
    /// All of them.
    public private(set) var requests = 0
    /// Those by status; 0 for a reply without a head.
    public private(set) var statuses: [Int: Int] = [:]

    mutating func count(_ exchange: MockExchange) {
        requests += 1
        statuses[exchange.status ?? 0, default: 0] += 1
    }

    /// The numbers in one line.
    public var line: String {
        let parts = statuses.sorted { $0.key < $1.key }
            .map { "\($0.key == 0 ? "no reply" : "\($0.key)"): \($0.value)" }
        return "\(requests) request\(requests == 1 ? "" : "s")"
            + (parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")")
    }
}

extension LoopbackReply {
    /// The final head; nil if there is none.
    public var head: HTTPResponse? {
        for case .head(let head) in steps where head.status.kind != .informational { return head }
        return nil
    }

    /// The bytes of the body, without the framing.
    public var body: [UInt8] {
        steps.reduce(into: []) { bytes, step in
            if case .send(let more) = step { bytes += more }
            if case .chunk(let more) = step { bytes += more }
        }
    }
}

extension String {
    /// The text without line breaks and other control characters, which a client may have sent.
    package var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}

extension HTTPFields {
    /// What lets a page from another address read the reply (Fetch Standard, "CORS protocol").
    static func allowing(_ origin: String) -> HTTPFields {
        [
            .accessControlAllowOrigin: origin, .accessControlAllowMethods: "*, DELETE, PATCH, PUT",
            .accessControlAllowHeaders: "*, Authorization", .accessControlExposeHeaders: "*",
        ]
    }
}
