import TelexRuntime

extension TransportError {
    /// The kind of the error that `body` throws; `nil` if it throws none.
    static func kind(of body: () async throws -> Void) async -> Kind? {
        do {
            try await body()
            return nil
        } catch { return (error as? TransportError)?.kind }
    }
}
