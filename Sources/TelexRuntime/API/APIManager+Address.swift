public import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension APIManager {
    /// Makes the operation that will send a request which no method of the spec describes: to an address
    /// that a reply has named, say. It is an operation like all others, with its turn, its retries and
    /// its events. Nothing is sent until it is started.
    ///
    /// ```swift
    /// let picture = try await vk.operation(address: user.photo.absoluteString).value
    /// ```
    ///
    /// - Parameters:
    ///   - method: The HTTP method; those that may be sent twice are `GET`, `HEAD`, `PUT`, `DELETE` and
    ///     `OPTIONS`.
    ///   - address: The whole address: `https`, or `http` if the API's server is such a one. With
    ///     anything else the call fails before it is sent.
    ///   - fields: Header fields. Those that all requests of the API have are sent besides, if the
    ///     address has the origin of the server that the call would go to, but none that stands here.
    ///   - body: What is sent, with its type; its name is not. Nil, the default, for nothing.
    ///   - auth: Whether it carries the token. By default it does not; and never to a host that is not
    ///     the API's.
    ///   - name: What it is called in events, errors and metrics: one of few words.
    ///   - options: What this call wants different from the rest; nothing by default.
    /// - Returns: An operation whose value is the bytes of a reply of a status from 200 to 299.
    public func operation(
        _ method: HTTPRequest.Method = .get, address: String, fields: HTTPFields = [:],
        body: UploadFile? = nil, auth: Endpoint.Auth = .none, name: String = "request",
        options: CallOptions? = nil
    ) -> DataOperation<Data> {
        var endpoint = Endpoint(plain: method, "{address}")
        endpoint.auth = auth
        endpoint.reply = ReplyRules(status: [200...299])
        if body != nil { endpoint.operation.kind = .upload }
        var builder = RequestBuilder(RequestDraft(method: name, endpoint: endpoint))
        builder.address("address", address)
        builder.add(fields)
        builder.file(body)
        return operation(builder.finishRaw(), options: options)
    }
}

extension RequestBuilder {
    /// Adds header fields as they are.
    fileprivate mutating func add(_ fields: HTTPFields) {
        for field in fields {
            state.draft.headers.append(
                RequestField(name: field.name.rawName, .text(field.value)))
        }
    }
}
