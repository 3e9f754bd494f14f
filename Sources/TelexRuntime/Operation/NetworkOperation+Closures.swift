extension NetworkOperation {
    /// An operation whose value comes from a closure; what fakes of generated protocols return.
    ///
    /// - Parameter body: Produces the value; its error becomes the error of ``value``.
    public convenience init(_ body: @escaping @Sendable () async throws -> Output) {
        self.init(Engine(), work: { _ in await Self.end(of: body) })
    }

    /// The operation of a fake: it answers with the stub that a test has set.
    ///
    /// - Parameters:
    ///   - method: The API's name of the method, for the failure.
    ///   - stub: What the test has set; without it, ``value`` throws a `FakeError`.
    ///   - arguments: What the stub is called with.
    public convenience init<each Argument: Sendable>(
        answering method: String,
        with stub: (@Sendable (repeat each Argument) async throws -> Output)?,
        _ arguments: repeat each Argument
    ) {
        self.init {
            guard let stub else { throw FakeError(method) }
            return try await stub(repeat each arguments)
        }
    }

    /// Runs a closure as an attempt that is never repeated.
    static func end(of body: () async throws -> Output) async -> AttemptEnd<Output> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error, AttemptFailure(.none, "\(error)"))
        }
    }
}
