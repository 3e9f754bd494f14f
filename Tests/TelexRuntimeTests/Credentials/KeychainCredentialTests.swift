import Synchronization
import Testing

@testable import TelexCredentials
@testable import TelexRuntime

/// An item in memory. Before a call it may change as by another process, or the call fails.
private final class FakeKeychainItem: KeychainItem {
    private struct State {
        var content: [UInt8]?
        var calls: [String] = []
        var changes: [String: [UInt8]?] = [:]
        var failures: [String: Int32] = [:]
    }

    private let state = Mutex(State())

    var calls: [String] { state.withLock { $0.calls } }
    var content: [UInt8]? {
        get { state.withLock { $0.content } }
        set { state.withLock { $0.content = newValue } }
    }

    /// Has another process change the content when this call is made next.
    func change(to content: [UInt8]?, before call: String) {
        state.withLock { $0.changes[call] = .some(content) }
    }

    func fail(_ call: String, with status: Int32) { state.withLock { $0.failures[call] = status } }

    private func call(
        _ name: String, _ work: (inout [UInt8]?) -> Int32
    ) -> Int32 {
        state.withLock { state in
            state.calls.append(name)
            if let change = state.changes.removeValue(forKey: name) { state.content = change }
            return state.failures[name] ?? work(&state.content)
        }
    }

    func read() -> (status: Int32, content: [UInt8]) {
        var found: [UInt8] = []
        let status = call("read") { content in
            found = content ?? []
            return content == nil ? KeychainStatus.itemNotFound : KeychainStatus.success
        }
        return (status, found)
    }

    func update(_ content: [UInt8]) -> Int32 {
        call("update") { stored in
            guard stored != nil else { return KeychainStatus.itemNotFound }
            stored = content
            return KeychainStatus.success
        }
    }

    func add(_ content: [UInt8]) -> Int32 {
        call("add") { stored in
            guard stored == nil else { return KeychainStatus.duplicateItem }
            stored = content
            return KeychainStatus.success
        }
    }

    func delete() -> Int32 {
        call("delete") { stored in
            defer { stored = nil }
            return stored == nil ? KeychainStatus.itemNotFound : KeychainStatus.success
        }
    }

    func message(for status: Int32) -> String? {
        status == -34_018 ? "A required entitlement isn't present." : nil
    }
}

@Suite("A credential in the keychain")
struct KeychainCredentialTests {
    private let item = FakeKeychainItem()
    private let old = Credential(token: "old")
    private let new = Credential(token: "new")
    private let other = Credential(token: "other")

    private var credential: KeychainCredential<FakeKeychainItem> { KeychainCredential(item: item) }

    @Test("a credential in the keychain is added, read, updated and removed")
    func life() throws {
        #expect(try credential.read() == nil)
        try credential.save(old)
        #expect(try credential.read() == old)
        try credential.save(new)
        #expect(try credential.read() == new)
        try credential.clear()
        #expect(item.content == nil)
        try credential.clear()
        #expect(
            item.calls == [
                "read", "update", "add", "read", "update", "read", "delete", "delete",
            ])
    }

    @Test("a keychain credential is saved although another process adds an item at the same time")
    func addedMeanwhile() throws {
        item.change(to: other.stored, before: "add")
        try credential.save(new)
        #expect(try credential.read() == new)
        #expect(item.calls == ["update", "add", "update", "read"])
    }

    @Test("a keychain save reports failure if another process adds and removes an item meanwhile")
    func removedMeanwhile() throws {
        item.fail("add", with: KeychainStatus.duplicateItem)
        let error = #expect(throws: CredentialStoreError.self) { try credential.save(new) }
        #expect(error?.task == .save)
        #expect(error?.message == "keychain status -25300")
    }

    @Test("a credential in the keychain is replaced only if it is still the old one")
    func replacement() throws {
        try credential.save(old)
        #expect(try credential.replace(old, by: new) == new)
        #expect(try credential.replace(old, by: other) == new)
        #expect(try credential.replace(nil, by: other) == new)
        #expect(try credential.read() == new)
        #expect(try credential.replace(new, by: nil) == nil)
        #expect(item.content == nil)
        #expect(try credential.replace(nil, by: other) == other)
    }

    @Test("a credential in the keychain does not come back after a log-out during its replacement")
    func logOut() throws {
        try credential.save(old)
        item.change(to: nil, before: "update")
        #expect(try credential.replace(old, by: new) == nil)
        #expect(item.content == nil)
    }

    @Test("a credential in the keychain of a login during the replacement of none stays")
    func logIn() throws {
        item.change(to: other.stored, before: "add")
        #expect(try credential.replace(nil, by: new) == other)
        #expect(try credential.read() == other)
    }

    @Test(
        "a keychain credential has errors that name the operation and the system's reason",
        arguments: [
            ("read", CredentialStoreError.Task.read), ("update", .save), ("add", .save),
            ("delete", .clear),
        ])
    func failures(call: String, task: CredentialStoreError.Task) throws {
        for (status, words) in [
            (-34_018, "A required entitlement isn't present."), (-25_308, "keychain status -25308"),
        ] as [(Int32, String)] {
            item.fail(call, with: status)
            let error = #expect(throws: CredentialStoreError.self) {
                switch task {
                case .read: _ = try credential.read()
                case .clear: try credential.clear()
                default: try credential.save(new)
                }
            }
            #expect(error?.task == task)
            #expect(error?.message == words)
            #expect(error?.needsLogin == false)
        }
    }

    @Test("a credential in the keychain is refused with advice if the item has other content")
    func foreign() {
        item.content = Array("secret".utf8)
        let error = #expect(throws: CredentialStoreError.self) { try credential.read() }
        #expect(error?.needsLogin == true)
        #expect(error?.message.contains("secret") == false)
    }
}
