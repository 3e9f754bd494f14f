import Foundation
import HTTPTypes
import SpecIR
import TelexJSON
import TelexTemplates
import TelexTesting
import TelexTransport

/// The real server behind a mock, which then only passes calls on, checks the replies against the
/// spec, and keeps them as templates.
///
/// The reply of a call is passed on when it is complete, so a stream has to end by itself.
public struct Upstream: Sendable {
    private static let limit = 64 << 20
    /// What belongs to one connection (RFC 9110, section 7.6.1), or is decided anew.
    private static let ownFields: Set<HTTPField.Name> = [
        .connection, .transferEncoding, .contentLength, .contentEncoding, .acceptEncoding, .te,
        .trailer, .upgrade, HTTPField.Name("Host")!, HTTPField.Name("Keep-Alive")!,
    ]

    private let scheme: String
    private let authority: String
    private let path: String
    private let transport: any Transport
    private let store: (any TemplateStore)?

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - address: Its URL, such as `https://api.example.com/v1/`.
    ///   - store: Where replies are kept as templates, without secrets; nil for nowhere.
    /// - Throws: What is wrong with the address.
    public init(
        _ address: String, transport: any Transport, store: (any TemplateStore)? = nil
    ) throws(MockError) {
        guard let url = URL(string: address), let scheme = url.scheme,
            ["http", "https"].contains(scheme), let host = url.host(), !host.isEmpty
        else {
            throw MockError("`\(address)` is no address of a server, such as https://a.example/v1/")
        }
        self.scheme = scheme
        authority = host + (url.port.map { ":\($0)" } ?? "")
        path = url.path().hasSuffix("/") ? url.path() : url.path() + "/"
        self.transport = transport
        self.store = store
    }

    /// Passes a request on. It blocks its thread, which is that of one connection.
    func answer(
        _ request: LoopbackRequest, _ match: Match?, _ spec: MockSpec,
        _ exchange: inout MockExchange
    ) -> LoopbackReply {
        let result = Lock<
            Result<(head: HTTPResponse, body: [UInt8], note: String), TransportError>?
        >(nil)
        let done = DispatchSemaphore(value: 0)
        let sent = passed(request, match)
        Task {
            do throws(TransportError) {
                let reply = try await transport.send(sent)
                let body = try await reply.body.collect(upTo: Self.limit)
                let note = await self.note(reply.head.status.code, body, match, spec)
                result.withLock { $0 = .success((reply.head, body, note)) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        switch result.withLock({ $0 }) {
        case .success(let reply)?:
            exchange.note = reply.note
            return .bytes(
                reply.body, status: reply.head.status.code,
                fields: Self.passedFields(reply.head.headerFields))
        case .failure(let error)?:
            exchange.note = "the upstream failed: \(error.kind)"
            return .json(["message": .string(exchange.note)], status: 502)
        case nil: return .closed
        }
    }

    private func passed(_ request: LoopbackRequest, _ match: Match?) -> TransportRequest {
        let query = request.target.drop { $0 != "?" }
        let path = match.map { self.path + $0.path } ?? request.path
        return TransportRequest(
            head: HTTPRequest(
                method: HTTPRequest.Method(request.method) ?? .get, scheme: scheme,
                authority: authority, path: path + query,
                headerFields: Self.passedFields(request.fields)),
            body: request.body.isEmpty ? nil : .bytes(request.body), timeout: .seconds(60),
            maximumReplyBytes: Self.limit, session: .shared)
    }

    private static func passedFields(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { !ownFields.contains($0.name) })
    }

    /// Checks a reply and keeps it. Returns what there is to say.
    private func note(
        _ status: Int, _ body: [UInt8], _ match: Match?, _ spec: MockSpec
    ) async -> String {
        guard let method = match?.method else { return "passed on; no method" }
        guard spec.interpreter.isSuccess(status, of: method.apiName) else { return "passed on" }
        let report = spec.interpreter.check(body, of: method.apiName, status: status).validation
        if let error = report.syntaxError { return "no JSON: \(error.reason)" }
        if let first = report.violations.first {
            let more = report.violations.count > 1 ? " and \(report.violations.count - 1) more" : ""
            let place = spec.sources[method.apiName, ""]
            return
                "\(first.path): expected \(first.expected), found \(first.found)\(more) (\(place))"
        }
        guard let store, case .value = method.output,
            [.data, .upload].contains(method.operation.kind)
        else { return "passed on" }
        do {
            try await store.record(
                body, for: method.apiName, mode: .always, secrets: spec.secrets)
            return "kept as template"
        } catch {
            return "not kept: \(error)"
        }
    }
}
