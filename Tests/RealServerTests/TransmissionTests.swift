import TelexRuntime
import Testing
import TransmissionClient

extension RealServerTests {
    @Suite("Transmission", .with("transmission-daemon", of: "transmission-daemon"))
    struct TransmissionTests {
        private static let server = LocalServer(
            program: "transmission-daemon",
            arguments: ["--foreground", "--config-dir", "{folder}"],
            files: [
                "settings.json": """
                {
                    "rpc-port": {port}, "rpc-bind-address": "127.0.0.1", "rpc-username": "ann",
                    "rpc-authentication-required": true, "rpc-password": "correct",
                    "dht-enabled": false, "lpd-enabled": false, "pex-enabled": false,
                    "port-forwarding-enabled": false, "download-dir": "{folder}"
                }
                """
            ])

        private static func run(
            password: String = "correct",
            _ body: @Sendable (APIManager<Transmission>) async throws -> Void
        ) async throws {
            try await Self.server.run { address in
                try await body(
                    APIManager<Transmission>(
                        transport: PatientTransport(),
                        credentials: .memory(try Credential(user: "ann", password: password))
                    ) { $0.server = .url("\(address)transmission/") })
            }
        }

        private static let link =
            "magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=one"

        @Test(
            "Transmission hands out a session's header field with its first refusal, for all calls")
        func session() async throws {
            try await Self.run { transmission in
                let calls = (0..<4).map { _ in transmission.session.get() }
                for call in calls { call.start() }
                for call in calls {
                    let session = try await call.value
                    #expect(session.protocolVersion >= 15)
                }
            }
        }

        @Test("transmission adds a torrent, lists it and removes it")
        func torrents() async throws {
            try await Self.run { transmission in
                let reply = try await transmission.torrents.add(filename: Self.link, paused: true)
                    .value
                let added = try #require(reply.added)
                let again = try await transmission.torrents.add(filename: Self.link).value
                #expect(again.duplicate?.id == added.id)
                let list = try await transmission.torrents.list(ids: [added.id]).value
                #expect(list.map(\.name) == ["one"] && list.map(\.status) == [.stopped])
                try await transmission.torrents.remove(ids: [added.id]).value
                #expect(try await transmission.torrents.list().value.isEmpty)
            }
        }

        @Test("transmission says what is wrong in the place of `success`")
        func refusals() async throws {
            try await Self.run { transmission in
                let error = await #expect(throws: APIError.self) {
                    _ = try await transmission.torrents.add(filename: "nothing").value
                }
                #expect(error?.message?.contains("torrent") == true)
            }
        }

        @Test("transmission refuses a wrong password")
        func password() async throws {
            try await Self.run(password: "wrong") { transmission in
                let error = await #expect(throws: APIError.self) {
                    _ = try await transmission.session.get().value
                }
                #expect(error?.status == 401)
            }
        }
    }
}
