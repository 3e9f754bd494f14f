import Foundation
import KintoStoreClient
import ProcessSupport
import SpecDiagnostics
import SpecImport
import TelexCompiler
import TelexJSON
import TelexRuntime
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RealServerTests {
    /// `specs/kinto-store` is a part of the description that Kinto gives of itself.
    @Suite("Kinto's own description", .withKinto)
    struct ImportedKintoTests {
        @Test("Kinto's description becomes a client that keeps, lists, changes and removes records")
        func records() async throws {
            try await KintoServer.run { address in
                let kinto = APIManager<KintoStore>(transport: PatientTransport()) {
                    $0.server = .url(address)
                }
                try await kinto.logIn(Credential(user: "ann", password: "secret"))
                _ = try await kinto.buckets.update(id: "shop").value
                _ = try await kinto.collections.update(bucketID: "shop", id: "notes").value
                for number in 1...3 {
                    let made = try await kinto.records.create(
                        bucketID: "shop", collectionID: "notes",
                        data: ["text": .string("Note \(number)"), "number": .int(Int64(number))]
                    ).value
                    #expect(made.value.data?["text"] == .string("Note \(number)"))
                    #expect(made.value.permissions?.write?.count == 1)
                }
                let list = try await kinto.records.get(
                    bucketID: "shop", collectionID: "notes", sort: ["-number"]
                ).value
                let notes = list.value.data ?? []
                #expect(notes.compactMap { $0["number"] } == [.int(3), .int(2), .int(1)])
                try await Self.change(notes[0], in: kinto)
            }
        }

        /// Changes a note, refuses a change to another version of it, and removes it.
        private static func change(
            _ note: [String: JSONValue], in kinto: APIManager<KintoStore>
        ) async throws {
            guard case .string(let id)? = note["id"] else {
                Issue.record("a note without an id")
                return
            }
            let change = { (text: String, version: String?) in
                kinto.records.patch(
                    bucketID: "shop", collectionID: "notes", id: id, ifMatch: version,
                    responseBehavior: .light, data: ["text": .string(text)])
            }
            let before = try await kinto.records.getRecord(
                bucketID: "shop", collectionID: "notes", id: id
            ).value
            let changed = try await change("First", before.headers.etag).value
            #expect(changed.value.data?["number"] == nil)
            let refused = await #expect(throws: APIError.self) {
                _ = try await change("Second", before.headers.etag).value
            }
            #expect(refused?.status == 412)
            _ = try await kinto.records.deleteRecord(
                bucketID: "shop", collectionID: "notes", id: id
            ).value
            let missing = await #expect(throws: APIError.self) {
                _ = try await kinto.records.getRecord(
                    bucketID: "shop", collectionID: "notes", id: id
                ).value
            }
            #expect(missing?.status == 404)
        }

        @Test(
            "Kinto's whole description, as the running server gives it, is Swift without a warning",
            .enabled(if: SwiftToolchain.modules != nil, "needs the modules of the runtime"))
        func whole() async throws {
            let bytes = try await KintoServer.run { address in
                let url = try #require(URL(string: "\(address)__api__"))
                return Array(try await URLSession.shared.data(from: url).0)
            }
            var sources = SourceMap()
            _ = sources.add(path: "kinto.json", bytes: bytes)
            let imported = DescriptionImport(openAPI: sources.files)
            #expect(imported.diagnostics.all.isEmpty)
            #expect(imported.methodCount > 30)
            let compilation = TelexCompiler.compile(
                SpecFolder(
                    shownPath: "",
                    files: imported.files.map {
                        SpecFolder.File(
                            relativePath: $0.name, shownPath: $0.name, bytes: Array($0.text.utf8))
                    }))
            let found = LineRenderer().render(compilation.diagnostics, in: compilation.sources)
            #expect(found == "")
            let report = try await SwiftToolchain.typecheck(
                Dictionary(uniqueKeysWithValues: compilation.files.map { ($0.name, $0.text) }),
                SwiftToolchain.upcomingFeatures + ["-default-isolation", "MainActor"])
            #expect(report.isSuccess, "\(report.text)")
        }
    }
}
