import TelexCredentials
import TelexRequests
import TelexScheduling

extension NetworkOperation {
    /// Creates an operation whose value comes from a closure, as fakes of generated protocols
    /// return.
    ///
    /// - Parameter body: Produces the value; its error becomes the error of ``value``.
    public convenience init(_ body: @escaping @Sendable () async throws -> Output) {
        self.init(
            engine: Engine(),
            work: { context in
                await Self.end {
                    let value = try await body()
                    // Like a call, an operation that was suspended gets its value only after it
                    // resumes.
                    try await context.waitWhilePaused()
                    return value
                }
            })
    }

    /// Runs a closure as an attempt that is never repeated.
    static func end(of body: () async throws -> Output) async -> AttemptEnd {
        do {
            return .success(Product(try await body()))
        } catch {
            return .failure(error, AttemptFailure(.none, error.safeDescription))
        }
    }
}
