import Foundation
import HTTPTypes
import SpecIR
import TelexJSON
import TelexTesting

/// The answer to one request.
struct MethodAnswer {
    let server: MockServer
    let maker: ReplyMaker
    let request: LoopbackRequest
    let content: RequestParts

    var spec: MockSpec { maker.spec }

    /// The reply, and what the exchange says about it.
    func reply(_ exchange: inout MockExchange) -> LoopbackReply {
        guard let match = spec.router.match(request, content) else {
            return grantedToken(&exchange) ?? unknown(&exchange)
        }
        exchange.method = match.method.apiName
        if let refusal = refusal(of: match, &exchange) { return refusal }
        if let refusal = violations(of: match, &exchange) { return refusal }
        return success(match, &exchange)
    }

    /// The refusal of a request that no method sends.
    private func unknown(_ exchange: inout MockExchange) -> LoopbackReply {
        let nearest = spec.router.nearest(to: request.method, request.path)
        let message = "\(spec.api.name) has no method for \(request.method) \(request.path)"
        exchange.note = "no method; nearest: " + nearest.joined(separator: ", ")
        return .json(
            ["message": .string(message), "nearest": .array(nearest.map(JSONValue.string))],
            status: 404)
    }

    // MARK: Contents

    private func success(_ match: Match, _ exchange: inout MockExchange) -> LoopbackReply {
        let method = match.method
        var (output, status) = (method.output, Int?.none)
        if case .statuses(let replies) = method.output, let first = replies.cases.first {
            (output, status) = (first.output, first.status)
        }
        exchange.note = "made"
        switch output {
        case .bytes, .file: return file(match)
        case .text: return text(match, status)
        case .value(let value):
            if case .stream(let format) = method.operation.kind {
                return stream(of: value, format, match)
            }
            return single(value, status, match, &exchange)
        case .nothing, .statuses: return empty(status, match, &exchange)
        }
    }

    private func head(_ match: Match) -> HTTPFields {
        maker.headers(of: match.method, for: match.path, at: address(of: match.path))
    }

    /// The address of a path, as the client reaches the mock.
    func address(of path: String) -> String {
        let base = request.path.dropLast(path.count)
        let isBelow = request.path.hasSuffix(path)
        let host = request.authority ?? "localhost"
        // A name without a port is that of a server of the spec, whose requests end here.
        let scheme = host.contains(":") || host == "localhost" ? "http" : "https"
        return "\(scheme)://\(host)\(isBelow ? String(base) : "/")\(path)"
    }

    private func single(
        _ value: Value, _ status: Int?, _ match: Match, _ exchange: inout MockExchange
    ) -> LoopbackReply {
        var fields = head(match)
        guard var made = thing(value, match, &fields) else {
            exchange.note = "removed"
            return maker.refusal(
                "there is no such thing any more", status: 404, of: match.method, content)
        }
        exchange.note = made.source
        addTokens(to: &made, &fields, match.method)
        guard let body = maker.body(made, of: match.method, content) else { return .bytes() }
        return .json(
            body, status: status ?? maker.status(of: match.method, hasBody: true),
            type: maker.type(of: match.method, "application/json")
        ).adding(fields)
    }

    private func empty(
        _ status: Int?, _ match: Match, _ exchange: inout MockExchange
    ) -> LoopbackReply {
        var (fields, none) = (head(match), ReplyMaker.Made?.none)
        if request.method != "GET" {
            guard changeThing(match) else {
                exchange.note = "removed"
                return maker.refusal(
                    "there is no such thing any more", status: 404, of: match.method, content)
            }
        }
        addTokens(to: &none, &fields, match.method)
        let body = maker.body(nil, of: match.method, content)
        let code = status ?? maker.status(of: match.method, hasBody: body != nil)
        let reply = body.map { LoopbackReply.json($0, status: code) } ?? .bytes(status: code)
        return reply.adding(fields)
    }

    private func text(_ match: Match, _ status: Int?) -> LoopbackReply {
        var words = maker.maker(match.path)
        return .text(
            words.phrase() + "\n", status: status ?? maker.status(of: match.method, hasBody: true),
            fields: [.contentType: maker.type(of: match.method, "text/plain; charset=utf-8")]
        ).adding(head(match))
    }

    /// A file, whole or in parts. A file that was sent to the path is the one that is returned.
    private func file(_ match: Match) -> LoopbackReply {
        let file = server.change { state in
            if let file = state.files[match.path] { return file }
            var random = maker.maker(match.path)
            let bytes = (0..<16_384).map { _ in UInt8(random.number(in: 0...255)) }
            let file = FileOnServer(bytes, entityTag: "\"\(random.word())\"")
            if state.files.count < 100 { state.files[match.path] = file }
            return file
        }
        return file.answer(request).adding([
            .contentType: maker.type(of: match.method, "application/octet-stream")
        ]).adding(head(match))
    }

    private func stream(
        of value: Value, _ format: StreamFormat, _ match: Match
    ) -> LoopbackReply {
        let elements = (1...3).map { number in
            let made = maker.value(of: match.method, value, for: "\(match.path)#\(number)")
            return maker.body(made, of: match.method, content)?.description ?? "null"
        }
        let texts = elements + [format.end].compactMap { $0 }
        let event = format.events?.first.map { "event: \($0)\n" } ?? ""
        let isEvents = format.framing == .serverSentEvents
        let chunks = texts.map { Array((isEvents ? "\(event)data: \($0)\n\n" : "\($0)\n").utf8) }
        let type = isEvents ? "text/event-stream" : "application/x-ndjson"
        return .chunked(
            chunks, status: maker.status(of: match.method, hasBody: true),
            fields: [.contentType: maker.type(of: match.method, type)])
    }
}
