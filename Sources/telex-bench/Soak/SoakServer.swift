import HTTPTypes
import TelexRuntime
import TelexTesting

/// A server with random failures. It is used for one round, because it records all requests.
final class SoakServer: Sendable {
    /// The number of elements in the stream.
    static let events = 50
    /// The content of the downloaded file.
    static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private let tokens: TokenService
    private let file = FileOnServer(content, entityTag: "\"1\"")
    private let faults: [LoopbackServer.Handler]
    private let tally: SoakTally

    /// Makes a server that uses this token service.
    init(_ tokens: TokenService, _ tally: SoakTally) {
        self.tokens = tokens
        self.tally = tally
        faults = tally.faults.map { $0.handler() }
    }

    /// Answers a request, or fails it at random.
    func answer(_ request: LoopbackRequest) -> LoopbackReply {
        tally.countRequest()
        if request.path.hasPrefix("/fault/") {
            let number = Int(request.path.dropFirst(7)) ?? 0
            guard faults.indices.contains(number) else { return .bytes(status: 404) }
            tally.meet(number)
            return faults[number](request)
        }
        if one(in: 500) { tokens.expireAccessTokens() }
        return tokens.protecting(good)(request)
    }

    private func good(_ request: LoopbackRequest) -> LoopbackReply {
        if one(in: 50) { return .bytes(status: 429, fields: [.retryAfter: "0"]) }
        if one(in: 100) { return .bytes(status: 503) }
        switch request.path {
        case "/file":
            if one(in: 2) { file.cutNextReply(after: .random(in: 0..<Self.content.count)) }
            return file.answer(request)
        case "/events":
            let reply = LoopbackReply.chunked((0..<Self.events).map(Self.event))
            return one(in: 4) ? LoopbackReply(reply.steps.dropLast(5) + [.reset]) : reply
        case "/upload": return receive(request)
        default: return .text(Self.user(request.path.dropFirst("/user/".count)))
        }
    }

    private func receive(_ request: LoopbackRequest) -> LoopbackReply {
        let count = request.body.count { $0 == SoakAPI.uploadByte }
        if !request.target.hasSuffix("?size=\(count)") {
            tally.wrong("\(count) bytes of \(request.target) arrived")
        }
        return .bytes(status: 201)
    }

    private func one(in count: Int) -> Bool { Int.random(in: 0..<count) == 0 }

    private static func user(_ id: Substring) -> String { #"{"id":\#(id),"name":"Ivan"}"# }

    private static func event(_ number: Int) -> [UInt8] {
        Array("data: \(user(Substring("\(number)")))\n\n".utf8)
    }
}

extension Fault {
    /// The faults for a transport over sockets. Those that crash `URLSession` on Linux (see
    /// `URLSessionTransport`) are left out.
    static let soakOnSockets = catalogue.filter { fault in
        fault.acceptsConnections
            && ![closedInHead, trailers, redirectToOddHost].contains { $0.name == fault.name }
    }

    /// The faults that need no socket.
    static let soakInMemory = catalogue.filter { !$0.needsSocket }
}
