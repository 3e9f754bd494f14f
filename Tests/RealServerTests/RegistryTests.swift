import Foundation
import RegistryClient
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("a Docker registry", .with("docker-registry", of: "docker-registry"))
    struct RegistryTests {
        /// An empty registry. The user `ann` has the password `correct`, whose bcrypt hash this is.
        private static let server = LocalServer(
            program: "docker-registry", arguments: ["serve", "config.yml"],
            files: [
                "users": "ann:$2b$04$lFunTzOkhaknkLgr925fROe7841hmTNcS0Lq9nTX5RqW.2zpokbTu\n",
                "config.yml": """
                version: 0.1
                log: { level: error, accesslog: { disabled: true } }
                storage: { filesystem: { rootdirectory: data }, delete: { enabled: true } }
                http: { addr: "127.0.0.1:{port}" }
                auth: { htpasswd: { realm: registry, path: users } }

                """,
            ])
        private static let hello = Data("hello".utf8)
        private static let digest =
            "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        private static let manifest = Manifest(
            mediaType: "application/vnd.oci.image.manifest.v1+json",
            config: Descriptor(
                mediaType: "application/vnd.oci.image.config.v1+json", digest: digest, size: 5),
            layers: [
                Descriptor(mediaType: "application/octet-stream", digest: digest, size: 5)
            ])

        private static func run(
            _ body: @Sendable (APIManager<Registry>) async throws -> Void
        ) async throws {
            try await Self.server.run { address in
                let registry = APIManager<Registry>(
                    transport: PatientTransport(),
                    credentials: .memory(try Credential(user: "ann", password: "correct"))
                ) { $0.server = .url("\(address)v2/") }
                try await body(registry)
            }
        }

        /// Adds a blob to a repository.
        private static func upload(
            _ bytes: Data, to name: String, of registry: APIManager<Registry>
        ) async throws {
            let upload = try await registry.blobs.start(name: name).value.headers
            let blob = try await registry.blobs.finish(
                location: upload.location, digest: digest, body: bytes
            ).value.headers
            #expect(blob.digest == digest)
        }

        private static func error<Value>(
            of operation: NetworkOperation<Value>
        ) async -> APIError? {
            do { _ = try await operation.value } catch { return error as? APIError }
            return nil
        }

        @Test("a Docker registry asks for a name and a password")
        func login() async throws {
            try await Self.server.run { address in
                for (password, isRight) in [("correct", true), ("wrong", false)] {
                    let registry = APIManager<Registry>(
                        transport: PatientTransport(),
                        credentials: .memory(try Credential(user: "ann", password: password))
                    ) { $0.server = .url("\(address)v2/") }
                    let error = await Self.error(of: registry.registry.check())
                    #expect((error == nil) == isRight)
                    #expect(error?.status == (isRight ? nil : 401))
                }
            }
        }

        @Test("a registry keeps a blob under its digest, in a repository whose name has a slash")
        func blobs() async throws {
            try await Self.run { registry in
                let name = "library/one"
                try await Self.upload(Self.hello, to: name, of: registry)
                let found = try await registry.blobs.check(name: name, digest: Self.digest).value
                #expect(found.headers.digest == Self.digest)
                let folder = try TemporaryFolder()
                let file = try await registry.blobs.get(
                    name: name, digest: Self.digest, to: folder.place("blob")
                ).value
                #expect(try file.bytes == 5 && folder.read("blob") == Self.hello)
                try await registry.blobs.delete(name: name, digest: Self.digest).value
                let gone = await Self.error(
                    of: registry.blobs.check(name: name, digest: Self.digest))
                #expect(gone?.status == 404)
            }
        }

        @Test("a Docker registry refuses bytes that have another digest, with the code of the spec")
        func digest() async throws {
            try await Self.run { registry in
                let upload = try await registry.blobs.start(name: "one").value.headers
                let error = await Self.error(
                    of: registry.blobs.finish(
                        location: upload.location, digest: Self.digest, body: Data("bye".utf8)))
                #expect(error?.code(in: Registry.self) == .digestInvalid)
                let missing = await Self.error(
                    of: registry.manifests.get(name: "one", reference: "latest"))
                #expect(missing?.code(in: Registry.self) == .manifestUnknown)
                #expect(missing?.description.contains("manifest unknown") == true)
            }
        }

        @Test("a Docker registry gives back the manifest that it got, under its tag and its digest")
        func manifests() async throws {
            try await Self.run { registry in
                try await Self.upload(Self.hello, to: "one", of: registry)
                let saved = try await registry.manifests.put(
                    name: "one", reference: "latest", body: Self.manifest
                ).value.headers
                for reference in ["latest", saved.digest] {
                    let reply = try await registry.manifests.get(
                        name: "one", reference: reference
                    ).value
                    #expect(reply.value.mediaType == Self.manifest.mediaType)
                    #expect(reply.value.layers.map(\.digest) == [Self.digest])
                    #expect(reply.headers.digest == saved.digest)
                    #expect(reply.headers.etag == "\"\(saved.digest)\"")
                }
                let tags = try await registry.repositories.tags(name: "one").value
                #expect(tags.tags == ["latest"])
            }
        }

        @Test("a Docker registry lists its repositories page by page")
        func pages() async throws {
            try await Self.run { registry in
                let names = ["a", "b/c", "d", "e", "f"]
                for name in names {
                    try await Self.upload(Self.hello, to: name, of: registry)
                    _ = try await registry.manifests.put(
                        name: name, reference: "latest", body: Self.manifest
                    ).value
                }
                let list = registry.repositories.listPages(n: 2)
                var (pages, found) = (0, [String]())
                for try await page in list.pages {
                    pages += 1
                    found += page.items
                }
                #expect(found == names && pages == 3)
                let pager = Pager(registry.repositories.listPages(n: 2))
                #expect(try await pager.loadNext() == ["a", "b/c"])
            }
        }
    }
}
