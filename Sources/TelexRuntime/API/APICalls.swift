import TelexRequests

/// Makes the operations of the calls of a group: that of a manager, its fake, or a type of the app.
///
/// The generated protocol of a group, such as `UsersAPI`, inherits from this one. Its methods build
/// a request and pass it to ``operation(_:_:)``, so a type of the app needs only that function:
///
/// ```swift
/// struct TaggedUsers: UsersAPI {
///     let users: any UsersAPI
///
///     func operation<Output>(
///         _ request: APIRequest<Output>, _ options: CallOptions?
///     ) -> NetworkOperation<Output> {
///         var options = options ?? CallOptions()
///         options.tags.insert("profile")
///         return users.operation(request, options)
///     }
/// }
/// ```
public protocol APICalls: Sendable {
    /// Makes the operation of a call. Nothing is sent until it is started.
    ///
    /// - Parameters:
    ///   - request: The request of the call.
    ///   - options: The options of the call; nil for none.
    func operation<Output>(
        _ request: APIRequest<Output>, _ options: CallOptions?
    ) -> NetworkOperation<Output>

    /// Makes the operation of a call whose arguments a fake records. By default like
    /// ``operation(_:_:)``. Called only by clients with `generate: [fakes]`.
    ///
    /// - Parameters:
    ///   - request: The request of the call.
    ///   - options: The options of the call; nil for none.
    ///   - arguments: Returns the arguments of the call: a labelled tuple, or a single one.
    func operation<Output, Arguments>(
        _ request: APIRequest<Output>, _ options: CallOptions?, _ arguments: () -> Arguments
    ) -> NetworkOperation<Output>
}

extension APICalls {
    /// Makes the operation without the arguments.
    public func operation<Output, Arguments>(
        _ request: APIRequest<Output>, _ options: CallOptions?, _ arguments: () -> Arguments
    ) -> NetworkOperation<Output> {
        operation(request, options)
    }
}
