import EtcdClient
import Foundation
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("etcd, by its JSON gateway", .with("etcd", of: "etcd-server"), .withNginx)
    struct EtcdTests {
        private static let (a, b, c) = (Data("a".utf8), Data("b".utf8), Data("c".utf8))
        /// Bytes that are no text.
        private static let bytes = Data([0, 0xFF, 0xC0, 0x80])

        private static func error<Value>(
            of operation: NetworkOperation<Value>
        ) async -> APIError? {
            do { _ = try await operation.value } catch { return error as? APIError }
            return nil
        }

        @Test("etcd keeps bytes under bytes, and has the former values of a key")
        func values() async throws {
            try await EtcdServer.run { etcd in
                let first = try await etcd.kv.put(put: Put(key: Self.bytes, value: Self.bytes))
                    .value
                let second = try await etcd.kv.put(
                    put: Put(key: Self.bytes, value: Data(), prevKv: true)
                ).value
                #expect(second.prevKv?.value == Self.bytes && first.prevKv == nil)
                #expect(second.header.revision == first.header.revision + 1)
                let now = try await etcd.kv.range(range: KeyRange(key: Self.bytes)).value
                #expect(now.kvs.map(\.version) == [2] && now.kvs.map(\.value) == [nil])
                let before = try await etcd.kv.range(
                    range: KeyRange(key: Self.bytes, revision: first.header.revision)
                ).value
                #expect(before.kvs.map(\.value) == [Self.bytes])
            }
        }

        @Test("etcd has ranges of keys, with a limit, and removes them")
        func ranges() async throws {
            try await EtcdServer.run { etcd in
                for key in [Self.a, Self.b, Self.c] {
                    _ = try await etcd.kv.put(put: Put(key: key, value: key)).value
                }
                let two = try await etcd.kv.range(
                    range: KeyRange(key: Self.a, rangeEnd: Data("z".utf8), limit: 2)
                ).value
                #expect(two.kvs.map(\.key) == [Self.a, Self.b])
                #expect(two.more && two.count == 3)
                let deletion = Deletion(key: Self.a, rangeEnd: Self.c)
                #expect(try await etcd.kv.delete(deletion: deletion).value.deleted == 2)
                #expect(try await etcd.kv.delete(deletion: deletion).value.deleted == 0)
                let none = try await etcd.kv.range(range: KeyRange(key: Self.a)).value
                #expect(none.kvs.isEmpty && none.count == 0 && !none.more)
            }
        }

        @Test("etcd makes the one or the other side of a transaction, of steps of several kinds")
        func transactions() async throws {
            try await EtcdServer.run { etcd in
                let attempt = {
                    try await etcd.kv.transact(
                        compare: [
                            .version(VersionIs(key: Self.a, result: .equal, version: 0)),
                            .version(VersionIs(key: Self.b, result: .less, version: 5)),
                        ],
                        success: [
                            .requestPut(Put(key: Self.a, value: Self.bytes)),
                            .requestDeleteRange(Deletion(key: Self.b)),
                        ],
                        failure: [.requestRange(KeyRange(key: Self.a))]
                    ).value
                }
                let first = try await attempt()
                #expect(first.succeeded)
                guard first.responses.count == 2, case .responsePut = first.responses[0],
                    case .responseDeleteRange(let deletion) = first.responses[1]
                else {
                    Issue.record("other replies: \(first.responses)")
                    return
                }
                #expect(deletion.deleted == 0)
                let second = try await attempt()
                guard !second.succeeded, case .responseRange(let found) = second.responses.first
                else {
                    Issue.record("other replies: \(second.responses)")
                    return
                }
                #expect(found.kvs.map(\.value) == [Self.bytes])
            }
        }

        @Test("etcd removes the keys of a lease with it")
        func leases() async throws {
            try await EtcdServer.run { etcd in
                let lease = try await etcd.lease.grant(ttl: 6_000).value
                #expect(lease.ttl == 6_000)
                let put = Put(key: Self.a, value: Self.a, lease: lease.id)
                _ = try await etcd.kv.put(put: put).value
                #expect(try await etcd.lease.keep(id: lease.id).value.ttl == 6_000)
                let kept = try await etcd.kv.range(range: KeyRange(key: Self.a)).value
                #expect(kept.kvs.map(\.lease) == [lease.id])
                try await etcd.lease.revoke(id: lease.id).value
                #expect(try await etcd.kv.range(range: KeyRange(key: Self.a)).value.count == 0)
                #expect(try await etcd.lease.keep(id: lease.id).value.ttl == 0)
                let none = await Self.error(of: etcd.lease.grant(ttl: 0))
                #expect(none?.violations.first?.rule == "min" && none?.status == nil)
            }
        }

        @Test("etcd streams changes, those of the past first")
        func watch() async throws {
            try await EtcdServer.run { etcd in
                let put = { (key: Data) in
                    try await etcd.kv.put(put: Put(key: key, value: key)).value.header.revision
                }
                let first = try await put(Self.a)
                _ = try await put(Self.c)
                let watch = etcd.watch.begin(
                    key: Self.a, rangeEnd: Self.c, startRevision: first, prevKv: true)
                var changes: [Change] = []
                for try await reply in watch.elements {
                    changes += reply.events
                    switch changes.count {
                    case 1 where !reply.events.isEmpty: _ = try await put(Self.b)
                    case 2: _ = try await etcd.kv.delete(deletion: Deletion(key: Self.a)).value
                    default: break
                    }
                    if changes.count == 3 { break }
                }
                #expect(changes.map(\.kv.key) == [Self.a, Self.b, Self.a])
                #expect(changes.map(\.type) == [.put, .put, .delete])
                #expect(changes.last?.prevKv?.value == Self.a)
            }
        }

        @Test("etcd says what it refuses, with the code of the spec")
        func refusals() async throws {
            try await EtcdServer.run { etcd in
                let empty = await Self.error(of: etcd.kv.put(put: Put(key: Data(), value: Self.a)))
                #expect(empty?.code(in: Etcd.self) == .invalid && empty?.status == 400)
                #expect(empty?.message == "etcdserver: key is not provided")
                let future = await Self.error(
                    of: etcd.kv.range(range: KeyRange(key: Self.a, revision: 1_000)))
                #expect(future?.code(in: Etcd.self) == .outOfRange)
                #expect(future?.description.contains("future revision") == true)
            }
        }

        @Test(
            "etcd gets a new token with name and password, once its own has ended with the password"
        )
        func users() async throws {
            let secrets = ["ETCD_USER": "root", "ETCD_PASSWORD": "new"]
            try await EtcdServer.run(secrets: secrets) { etcd in
                try await etcd.users.add(name: "root", password: "old").value
                try await etcd.users.grant(user: "root", role: "root").value
                try await etcd.users.enable().value
                let wrong = await Self.error(of: etcd.users.logIn(name: "root", password: "new"))
                #expect(wrong?.message?.contains("invalid user ID or password") == true)
                let token = try await etcd.users.logIn(name: "root", password: "old").value.token
                _ = try await etcd.kv.put(put: Put(key: Self.a, value: Self.a)).value
                #expect(try await etcd.credentials.read()?.token == token)
                try await etcd.users.changePassword(name: "root", password: "new").value
                let calls = (0..<5).map { _ in etcd.kv.range(range: KeyRange(key: Self.a)) }
                for call in calls { call.start() }
                for call in calls { #expect(try await call.value.count == 1) }
                #expect(try await etcd.credentials.read()?.token != token)
            }
        }
    }
}
