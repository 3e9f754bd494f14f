import Foundation
import HTTPTypes
import SpecIR
import SpecMock
import TelexCompiler
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

/// A mock of a spec, with a clock that stands still.
struct MockTest {
    let mock: MockServer
    let spec: MockSpec
    let api: API
    let clock = VirtualClock(date: Date(timeIntervalSince1970: 1_750_000_000))
    private let log = ExchangeLog()

    /// The names of the folders in `specs`.
    static let specs: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }()

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("specs")

    /// A mock of a folder in `specs`.
    init(_ name: String, _ change: (inout MockSettings) -> Void = { _ in }) throws {
        if let known = Self.known.withLock({ $0[name] }) {
            self.init(known, change)
            return
        }
        let folder = Self.root.appendingPathComponent(name)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") }
        let spec = try Self.spec(
            files.map { path in
                (path, Array(try Data(contentsOf: folder.appendingPathComponent(path))))
            })
        Self.known.withLock { $0[name] = spec }
        self.init(spec, change)
    }

    /// The specs that were compiled so far.
    private static let known = Lock<[String: MockSpec]>([:])

    /// A mock of a spec in a test.
    init(
        methods groups: String, api: String = "", _ change: (inout MockSettings) -> Void = { _ in }
    ) throws {
        let head = "telex: 1\napi: Shop\nservers: { local: http://127.0.0.1/v1/ }\n"
        self.init(
            try Self.spec([
                ("api.yaml", Array((head + api).utf8)), ("things.yaml", Array(groups.utf8)),
            ]), change)
    }

    private static func spec(_ files: [(path: String, bytes: [UInt8])]) throws -> MockSpec {
        let folder = SpecFolder(
            shownPath: "spec",
            files: files.map {
                SpecFolder.File(relativePath: $0.path, shownPath: $0.path, bytes: $0.bytes)
            })
        let compilation = TelexCompiler.check(folder)
        return try #require(
            MockSpec(compilation), "\(compilation.diagnostics.all.map(\.message))")
    }

    private init(_ spec: MockSpec, _ change: (inout MockSettings) -> Void) {
        var settings = MockSettings()
        change(&settings)
        api = spec.api
        self.spec = spec
        let log = log
        mock = MockServer(spec, settings: settings, clock: clock.runtimeClock) { log.add($0) }
    }

    /// The lines of all exchanges so far.
    var lines: [String] { log.all.map(\.line) }
    var exchanges: [MockExchange] { log.all }

    /// A transport to the mock, without a network. Each request takes a second, so that no limit of
    /// requests has to be waited for.
    var transport: InMemoryTransport {
        InMemoryTransport(serving: { request in
            clock.advance(by: .seconds(1))
            return mock.answer(request)
        })
    }

    /// Settings of a client with the clock of the mock.
    var settings: EngineSettings { EngineSettings(clock: clock.runtimeClock, seed: 1) }

    /// Sends a request.
    func send(
        _ method: String, _ target: String, fields: HTTPFields = [:], json: String? = nil,
        body: [UInt8] = []
    ) -> MockReply {
        var fields = fields
        if json != nil { fields[.contentType] = "application/json" }
        let request = LoopbackRequest(
            method: method, target: target, fields: fields,
            body: json.map { Array($0.utf8) } ?? body,
            connection: 1)
        return MockReply(mock.answer(request))
    }
}

/// What a client gets.
struct MockReply {
    let status: Int
    let fields: HTTPFields
    let text: String
    let reply: LoopbackReply

    init(_ reply: LoopbackReply) {
        self.reply = reply
        status = reply.head?.status.code ?? 0
        fields = reply.head?.headerFields ?? [:]
        text = String(decoding: reply.body, as: UTF8.self)
    }

    var json: JSONValue? {
        JSONReader.read(Array(text.utf8)) { json -> JSONValue? in json.value() }.value
    }
}

private final class ExchangeLog: Sendable {
    private let exchanges = Lock<[MockExchange]>([])

    var all: [MockExchange] { exchanges.withLock { $0 } }

    func add(_ exchange: MockExchange) { exchanges.withLock { $0.append(exchange) } }
}
