import TelexRequests

extension APIManager {
    /// Sends several procedure calls in one request (JSON-RPC 2.0, section 6). Each ends with its
    /// own value or error.
    ///
    /// ```swift
    /// let (count, item) = try await manager.batch(
    ///     QueueRequests.count(), QueueRequests.get(id: "a")
    /// ).value
    /// print(try count.get(), try item.get())
    /// ```
    ///
    /// The calls go to one address, without values of the credential in their parameters; others
    /// make the operation fail with `invalidRequest`. The endpoint of the first call, its method
    /// included, is that of the request. The operation fails if there is no reply to the request as
    /// a whole. A reply without an id for a call refuses that call.
    ///
    /// - Parameters:
    ///   - calls: The requests of the calls, which `generate: [requests]` makes.
    ///   - options: The options of the request; nil for none.
    public func batch<each Output: Sendable>(
        _ calls: repeat APIRequest<each Output>, options: CallOptions? = nil
    ) -> NetworkOperation<(repeat Result<each Output, APIError>)> {
        var contents: [RequestContent] = []
        repeat contents.append((each calls).content)
        let batch = CallBatch(contents, factory.pipeline)
        let requests = (repeat each calls)
        return operation(
            APIRequest(
                RequestContent(batch.template, expecting: .bytes) { reply, _ in
                    let replies = batch.replies(in: reply)
                    var index = -1
                    func end<T>(_ request: APIRequest<T>) -> Result<T, APIError> {
                        index += 1
                        return batch.end(of: index, request, replies[index])
                    }
                    return Decoded(product: Product((repeat end(each requests))))
                }), options: options)
    }

    /// Sends several procedure calls of one type in one request; see ``batch(_:options:)``.
    ///
    /// - Returns: The ends of the calls, in their order.
    public func batch<Output>(
        of calls: [APIRequest<Output>], options: CallOptions? = nil
    ) -> NetworkOperation<[Result<Output, APIError>]> {
        let batch = CallBatch(calls.map(\.content), factory.pipeline)
        return operation(
            APIRequest(
                RequestContent(batch.template, expecting: .bytes) { reply, _ in
                    let replies = zip(calls, batch.replies(in: reply)).enumerated()
                    return Decoded(
                        product: Product(
                            replies.map { batch.end(of: $0, $1.0, $1.1) }))
                }), options: options)
    }
}
