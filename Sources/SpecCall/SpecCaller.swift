import Foundation
import HTTPTypes
import SpecDiagnostics
import SpecIR
import SpecInterpreter
import TelexInspection
import TelexJSON
import TelexRequests
import TelexRuntime
import TelexTransport

/// Calls a method by its spec, without generated code: checks the arguments, sends the request, and
/// checks the reply.
///
/// A process calls one API: the description of the API is the same for all callers.
public struct SpecCaller: Sendable {
    /// What a call needs besides its arguments.
    public struct Settings: Sendable {
        /// The name of a server of the spec, or an address; the first server by default.
        public var server: String?
        /// The values of variables in the server's address.
        public var variables: [String: String] = [:]
        /// The token; nil for none.
        public var token: String?

        /// The settings of a call without a token.
        public init() {}
    }

    /// A reply, and what the spec says of it.
    public struct Answer: Sendable {
        /// The status.
        public var status: Int
        /// The body.
        public var body: [UInt8]
        /// Whether the spec counts the status as a success.
        public var isSuccess: Bool
        /// The violations of the body, if the status is a success.
        public var violations: [Violation]
        /// The header fields.
        var fields: HTTPFields = [:]

        /// The address that a relation of the `Link` field names (RFC 8288).
        func link(_ relation: String) -> String? {
            Address(CalledAPI.definition.servers[0].url).flatMap { fields.link(relation, on: $0) }
        }
    }

    let maker: RequestTemplateMaker
    private let api: API
    private let interpreter: SpecInterpreter
    private let manager: APIManager<CalledAPI>
    private let placement: TelexRequests.AuthRules.Placement?
    private let token: String?

    /// The method that is called.
    public var method: SpecIR.Method { maker.method }

    /// Prepares calls of a method.
    ///
    /// - Parameter method: Its name in the API, such as `users.get`.
    /// - Throws: An error for a method or a server that the spec does not have.
    public init(
        _ method: String, of api: API, settings: Settings, transport: any Transport
    ) throws(CallError) {
        let methods = api.groups.flatMap(\.methods)
        guard let found = methods.first(where: { $0.apiName == method }) else {
            let names = methods.map(\.apiName)
            throw CallError(
                "`\(api.name)` has no method `\(method)`",
                help: nearest(to: method, among: names).map { "did you mean `\($0)`?" }
                    ?? "it has \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "")"
            )
        }
        maker = RequestTemplateMaker(found, of: api)
        self.api = api
        interpreter = SpecInterpreter(api)
        let scheme = api.scheme(of: found)
        placement = scheme.map { .init($0.placement) }
        token = settings.token.map { Self.sent($0, scheme?.placement) }
        let server = try Self.server(settings, for: found, of: api)
        let definition = APIDefinition(api, server: server, placement)
        CalledAPI.current.withLock { $0 = definition }
        manager = APIManager(
            transport: transport,
            credentials: MemoryCredentialStore(token.map { Credential(token: $0) }))
    }

    /// The token as it is sent: `name:password` of Basic authentication in base 64 (RFC 7617).
    private static func sent(
        _ token: String, _ placement: SpecIR.AuthRules.Placement?
    ) -> String {
        guard placement == .basic, token.contains(":") else { return token }
        return Data(token.utf8).base64EncodedString()
    }

    private static func server(
        _ settings: Settings, for method: SpecIR.Method, of api: API
    ) throws(CallError) -> TelexRequests.Server {
        let name = settings.server ?? method.server
        if let name, Address(name) != nil { return TelexRequests.Server("given", name) }
        guard
            let found = name.map({ name in api.servers.first { $0.name == name } })
                ?? api.servers.first
        else {
            let names = api.servers.map(\.name)
            throw CallError(
                "`\(api.name)` has no server `\(name ?? "")`",
                help: nearest(to: name ?? "", among: names).map { "did you mean `\($0)`?" }
                    ?? "it has \(names.joined(separator: ", ")); an address begins with https:// or http://"
            )
        }
        let server = TelexRequests.Server(
            found.name, found.url,
            variables: found.variables.map {
                TelexRequests.ServerVariable(
                    $0.name, default: $0.defaultValue, allowed: $0.allowed)
            })
        do throws(Violation) {
            return TelexRequests.Server(found.name, try server.address(settings.variables).text)
        } catch {
            throw CallError(
                "\(error.path): expected \(error.expected), found \(error.found)",
                help: "give it with --variable name=value, or name an address with --server")
        }
    }

    // MARK: Requests

    /// The arguments of a call, which are written `name=value`.
    ///
    /// - Throws: An error for a word that is no argument of the method.
    func arguments(_ words: [String]) throws(CallError) -> CallArguments {
        try CallArguments(words, of: method, maker.parameters)
    }

    /// What the arguments break of the spec.
    ///
    /// - Throws: An error for a word that is no argument of the method, and for a missing one.
    public func violations(_ words: [String]) throws(CallError) -> [RequestViolation] {
        let template = try maker.template(arguments(words), endpoint)
        let own = template.errors.map { RequestViolation(parameter: nil, violation: $0) }
        let found = interpreter.check(RequestValues(template), of: method.apiName)
        return own + found
    }

    private var endpoint: Endpoint {
        Endpoint(
            .other(method.verb.name), method.path,
            auth: token == nil || method.auth == .none ? .none : .required)
    }

    /// The call as a command line of `curl`, with `TOKEN` in place of the token.
    public func curl(_ words: [String]) async throws -> String {
        let template = try maker.template(arguments(words), endpoint)
        let credential = token.map { _ in Credential(token: "TOKEN") }
        var options = CallOptions()
        options.credential = credential
        let head = try await manager.httpRequest(for: Self.request(template), options: options)
        let payload = try template.payload(placement: placement, credential: credential)
        let target = "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
        var command = CurlCommand(
            method: head.method.rawValue, target: target, hasBody: payload != nil)
        let isMultipart = template.form.contains { if case .file = $0 { true } else { false } }
        for field in head.headerFields { command.header(field.name.rawName, field.value) }
        if isMultipart {
            for item in template.form {
                switch item {
                case .field(let field):
                    for pair in field.pairs { command.part(pair.name, pair.value) }
                case .file(let name, let file):
                    command.part(name, file: words.file(name) ?? file.name, type: file.type)
                }
            }
        } else if let payload {
            if head.headerFields[.contentType] == nil {
                command.header("Content-Type", payload.type)
            }
            switch payload.body {
            case .bytes(let bytes): command.data(String(decoding: bytes, as: UTF8.self))
            case .file(let path, _): command.data(fromFile: path)
            default: break
            }
        }
        return command.text
    }

    private static func request(_ template: RequestTemplate) -> APIRequest<[UInt8]> {
        APIRequest(
            RequestContent(template, expecting: .bytes) { reply, _ in
                Decoded(product: Product(reply.body))
            })
    }

    // MARK: Calls

    /// Sends the request, and checks the reply.
    ///
    /// - Throws: A ``CallError`` for the arguments, and an `APIError` if there is no reply.
    public func call(_ words: [String]) async throws -> Answer {
        try await call(arguments(words))
    }

    func call(_ arguments: CallArguments) async throws -> Answer {
        let template = try maker.template(arguments, endpoint)
        return try await answer(manager.operation(Self.request(template)))
    }

    /// Loads a further page from its address, with the header fields of the first one.
    func call(address: String, after arguments: CallArguments) async throws -> Answer {
        let first = try maker.template(arguments, endpoint)
        let endpoint = Endpoint(.get, "{address}", auth: endpoint.auth)
        var request = RequestBuilder(
            RequestTemplate(method: method.apiName, endpoint: endpoint))
        request.address("address", address)
        var template = request.template
        template.headers = first.headers
        return try await answer(manager.operation(Self.request(template)))
    }

    private func answer(_ operation: DataOperation<[UInt8]>) async throws -> Answer {
        let response = try await operation.response
        let status = response.head?.status.code ?? 0
        let isSuccess = interpreter.isSuccess(status, of: method.apiName)
        var answer = Answer(
            status: status, body: response.value, isSuccess: isSuccess, violations: [],
            fields: response.head?.headerFields ?? [:])
        guard isSuccess else { return answer }
        let report = interpreter.check(answer.body, of: method.apiName, status: status).validation
        answer.violations = report.violations
        if let error = report.syntaxError {
            answer.violations.append(
                Violation(
                    path: "$", check: .types, rule: "type", expected: "JSON",
                    found: error.reason.description))
        }
        return answer
    }
}

extension API {
    /// The scheme whose token a method needs: the first one of several.
    fileprivate func scheme(of method: SpecIR.Method) -> SpecIR.AuthRules? {
        switch method.auth {
        case .none: nil
        case .required, .optional: auth
        case .anyOf(let names), .allOf(let names):
            allSchemes.first { names.contains($0.name) } ?? auth
        }
    }
}

extension [String] {
    /// The file of an argument, as it was written.
    fileprivate func file(_ name: String) -> String? {
        last { $0.hasPrefix("\(name)=@") }.map { String($0.dropFirst(name.count + 2)) }
    }
}
