public import Foundation
import HTTPTypes
public import TelexRuntime

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension APIManager {
    /// Creates an operation for the method, the address, the header fields and the body of a
    /// request. It is queued, retried and reported like all others, with the time-outs and rules of
    /// the API and of `options`: other properties of the request do not count.
    ///
    /// ```swift
    /// let reply = try await vk.operation(URLRequest(url: address)).value
    /// ```
    ///
    /// With a user name in the address, an `httpBodyStream`, or a header field that the transport
    /// sets, such as `Content-Length`, the call fails before it is sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - auth: Whether the request carries the token; by default it does not. The token is never
    ///     sent to a host outside the API.
    ///   - name: The name in events, errors and metrics. Use only a few distinct names.
    ///   - options: The options of this call that differ from the defaults; none by default.
    /// - Returns: An operation whose value is the bytes of a reply with a status from 200 to 299.
    public func operation(
        _ request: URLRequest, auth: Endpoint.Auth = .none, name: String = "request",
        options: CallOptions? = nil
    ) -> DataOperation<Data> {
        let verb = request.httpMethod ?? "GET"
        let method = HTTPRequest.Method(verb)
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? "application/octet-stream"
        let body = request.httpBody.map { UploadFile(bytes: [UInt8]($0), name: "body", type: type) }
        return operation(
            method ?? .get, address: request.url?.absoluteString ?? "", body: body, auth: auth,
            name: name, options: options
        ) { builder in
            if method == nil {
                builder.broken(
                    "method", at: ["httpMethod"], expected: "an HTTP method",
                    found: ["httpMethod": verb])
            }
            if request.httpBodyStream != nil {
                builder.broken(
                    "body", at: ["httpBodyStream"],
                    expected: "`httpBody`, or `operation(_:address:body:)` with a streaming file",
                    found: ["httpBodyStream": true])
            }
            let fields = request.allHTTPHeaderFields ?? [:]
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
                builder.header(name, value)
            }
        }
    }
}
