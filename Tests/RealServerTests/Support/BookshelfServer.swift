import BookshelfClient
import TelexRuntime

/// The server `bookshelf.py`, made of Django REST framework.
struct BookshelfServer: Sendable {
    let address: String
    let folder: TemporaryFolder

    static func run<Value: Sendable>(
        _ body: (BookshelfServer) async throws -> Value
    ) async throws -> Value {
        let python = await InstalledServers.djangoPython
        return try await PythonServer.run("bookshelf.py", with: python) {
            try await body(BookshelfServer(address: $0, folder: $1))
        }
    }

    /// A manager with a transport and a credential of its own.
    func manager() -> APIManager<Bookshelf> {
        APIManager<Bookshelf>(transport: PatientTransport()) {
            $0.server = .url("\(address)api/")
        }
    }

    /// A manager that is logged in.
    ///
    /// - Parameter seconds: How long its token lives; the server's default if nil. Later tokens live
    ///   as long as the server's default.
    func logIn(forSeconds seconds: Int? = nil) async throws -> APIManager<Bookshelf> {
        let bookshelf = manager()
        if let seconds { try await limitTokens(toSeconds: seconds) }
        _ = try await bookshelf.token.obtain(username: "ann", password: "correct").value
        if seconds != nil { try await limitTokens(toSeconds: 300) }
        return bookshelf
    }

    /// Sets how long new access tokens live.
    func limitTokens(toSeconds seconds: Int) async throws {
        _ = try await control(lifetime: seconds)
    }

    /// How many refreshes the server has `granted`, and how many it has `refused`.
    var counts: [String: Int] {
        get async throws { try await control() }
    }

    private func control(lifetime: Int? = nil) async throws -> [String: Int] {
        try await manager().operation(
            .post, address: "\(address)tokens/", returning: [String: Int].self
        ) {
            $0.form("lifetime", lifetime)
        }.value
    }
}
