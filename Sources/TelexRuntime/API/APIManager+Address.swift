public import HTTPTypes
public import TelexJSON
import TelexRequests

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension APIManager {
    /// Creates an operation for a request that no method of the spec describes, for example to an
    /// address in a reply. It is queued, retried and reported like all others. Nothing is sent
    /// until it is started.
    ///
    /// ```swift
    /// let picture = try await vk.operation(address: user.photo.absoluteString).value
    /// ```
    ///
    /// - Parameters:
    ///   - method: The HTTP method. `GET`, `HEAD`, `PUT`, `DELETE` and `OPTIONS` may be repeated.
    ///   - address: The whole address: `https`, or `http` if the API's server uses `http`. With any
    ///     other address the call fails before it is sent.
    ///   - fields: Header fields. The API's base header fields are added if the address has the
    ///     origin of the call's server; a field given here takes precedence over a base field.
    ///   - body: The content and its type; the file name is not sent. Nil, the default, for no
    ///     body.
    ///   - auth: Whether the request carries the token; by default it does not. The token is never
    ///     sent to a host outside the API.
    ///   - name: The name in events, errors and metrics. Use only a few distinct names.
    ///   - options: The options of this call that differ from the defaults; none by default.
    ///   - parameters: Adds query parameters, a form, a JSON body, or the fields and files of a
    ///     multipart body: `{ $0.query("size", 2); $0.part("photo", file) }`, or `{ $0.query(values) }`
    ///     with a dictionary.
    /// - Returns: An operation whose value is the bytes of a reply with a status from 200 to 299.
    public func operation(
        _ method: HTTPRequest.Method = .get, address: String, fields: HTTPFields = [:],
        body: UploadFile? = nil, auth: Endpoint.Auth = .none, name: String = "request",
        options: CallOptions? = nil, parameters: (inout RequestBuilder) -> Void = { _ in }
    ) -> DataOperation<Data> {
        var builder = RequestBuilder(
            plain: method, address, fields: fields, auth: auth, name: name, unwrap: [],
            kind: body == nil ? .data : .upload)
        builder.file(body)
        parameters(&builder)
        return operation(builder.finishRaw(), options: options)
    }

    /// Creates an operation for a request that no method of the spec describes, whose reply is a
    /// JSON value.
    ///
    /// ```swift
    /// let page = try await vk.operation(address: link, returning: [User].self) {
    ///     $0.query("limit", 20)
    /// }.value
    /// ```
    ///
    /// - Parameters:
    ///   - method: The HTTP method. `GET`, `HEAD`, `PUT`, `DELETE` and `OPTIONS` may be repeated.
    ///   - address: The whole address: `https`, or `http` if the API's server uses `http`. With any
    ///     other address the call fails before it is sent.
    ///   - output: The type of the value: a model of the API, for example.
    ///   - unwrap: The key path of the value in the reply; empty, the default, for the whole reply.
    ///   - fields: Header fields, as of `operation(_:address:fields:body:auth:name:options:)`.
    ///   - auth: Whether the request carries the token; by default it does not. The token is never
    ///     sent to a host outside the API.
    ///   - name: The name in events, errors and metrics. Use only a few distinct names.
    ///   - options: The options of this call that differ from the defaults; none by default.
    ///   - parameters: Adds query parameters, a form, a JSON body, or the fields and files of a
    ///     multipart body.
    /// - Returns: An operation whose value is read and checked as that of a method.
    public func operation<Output: JSONReadable & Sendable>(
        _ method: HTTPRequest.Method = .get, address: String, returning output: Output.Type,
        unwrap: [String] = [], fields: HTTPFields = [:], auth: Endpoint.Auth = .none,
        name: String = "request", options: CallOptions? = nil,
        parameters: (inout RequestBuilder) -> Void = { _ in }
    ) -> DataOperation<Output> {
        var builder = RequestBuilder(
            plain: method, address, fields: fields, auth: auth, name: name, unwrap: unwrap,
            kind: .data)
        parameters(&builder)
        return operation(builder.finish(), options: options)
    }

    /// Creates an operation for a request that no method of the spec describes, which writes the
    /// reply to a file. It continues after a lost connection, as a method with `kind: download`.
    ///
    /// ```swift
    /// let file = try await vk.operation(address: photo.absoluteString, to: path).value
    /// ```
    ///
    /// The path of the file is `destination`. For the other parameters see
    /// `operation(_:address:fields:body:auth:name:options:parameters:)`.
    public func operation(
        _ method: HTTPRequest.Method = .get, address: String, to destination: String,
        fields: HTTPFields = [:], auth: Endpoint.Auth = .none, name: String = "request",
        options: CallOptions? = nil, parameters: (inout RequestBuilder) -> Void = { _ in }
    ) -> DownloadOperation {
        var builder = RequestBuilder(
            plain: method, address, fields: fields, auth: auth, name: name, unwrap: [],
            kind: .download)
        parameters(&builder)
        return operation(builder.finishDownload(to: destination), options: options)
    }
}

extension RequestBuilder {
    /// Begins the request of a call to a whole address.
    fileprivate init(
        plain method: HTTPRequest.Method, _ address: String, fields: HTTPFields,
        auth: Endpoint.Auth, name: String, unwrap: [String], kind: OperationRules.Kind
    ) {
        var endpoint = Endpoint(plain: method, "{address}")
        endpoint.auth = auth
        endpoint.reply = ReplyRules(status: [200...299], unwrap: unwrap.map { .key($0) })
        endpoint.operation.kind = kind
        self.init(RequestTemplate(method: name, endpoint: endpoint))
        self.address("address", address)
        add(fields)
    }

    /// Adds header fields unchanged.
    fileprivate mutating func add(_ fields: HTTPFields) {
        for field in fields {
            state.template.headers.append(
                RequestField(name: field.name.rawName, content: .text(field.value)))
        }
    }
}
