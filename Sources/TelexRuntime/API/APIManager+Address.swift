public import HTTPTypes

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
    /// - Returns: An operation whose value is the bytes of a reply with a status from 200 to 299.
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
    /// Adds header fields unchanged.
    fileprivate mutating func add(_ fields: HTTPFields) {
        for field in fields {
            state.draft.headers.append(
                RequestField(name: field.name.rawName, content: .text(field.value)))
        }
    }
}
