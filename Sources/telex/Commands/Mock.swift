import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecMock
import TelexCompiler
import TelexInspector
import TelexTemplater
import TelexTesting
import TelexURLSession

/// `telex mock`
struct Mock: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve an API that does not exist yet, by its spec.",
        discussion: """
            Answers every method: by template, else by example, else with values made from the types \
            and rules. Checks each request, grants tokens and lets them expire, turns pages, and \
            keeps what was created. Prints a line for each request. Reads the spec again when it \
            changes. Ends with Ctrl-C.

              telex mock specs/shop
              telex mock specs/shop --host 0.0.0.0 --delay 200ms±50% --token-life 60s
              telex mock specs/shop --limit 3/s --fault "reset in the body at byte 4:10%"

            With --upstream, calls go to a real server. Its replies are checked, and with --record \
            kept as templates, without secrets:

              telex mock specs/shop --upstream https://shop.example/v1/ --record specs/shop/templates
            """)

    @Argument(help: ArgumentHelp("The folder that contains api.yaml.", valueName: "spec-folder"))
    var folder: String

    @Option(help: "The port; 0 lets the system choose one.")
    var port = 4010

    @Option(
        help: ArgumentHelp(
            "The address to listen at; 127.0.0.1 is for this machine alone.",
            discussion: "0.0.0.0 lets other devices in, such as a phone in the same network."))
    var host = "127.0.0.1"

    @Option(help: "What made values depend on; the same number gives the same replies.")
    var seed: UInt64 = 0

    @Option(
        help: ArgumentHelp("Hold replies back, such as 200ms or 200ms±50%.", valueName: "time"))
    var delay: Delay?

    @Option(
        help: ArgumentHelp(
            "Give a share of the replies a fault; may be repeated. `--fault list` names all.",
            valueName: "name:share"))
    var fault: [String] = []

    @Option(help: ArgumentHelp("Let tokens expire after a time, such as 60s.", valueName: "time"))
    var tokenLife: String?

    @Option(
        help: ArgumentHelp(
            "Refuse further requests with 429, such as 3/s or 100/m.", valueName: "rate"))
    var limit: String?

    @Option(
        help: ArgumentHelp("Pass calls on to this server and check its replies.", valueName: "url"))
    var upstream: String?

    @Option(
        help: ArgumentHelp(
            "Keep the replies of --upstream as templates in this folder.", valueName: "folder"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Show the calls in a page of the browser, live, at this port.", valueName: "port"))
    var inspect: Int?

    func validate() throws {
        try requireFolder(folder, "The spec folder")
        if let inspect, !(0...65535).contains(inspect) {
            throw ValidationError("--inspect is a port, from 0 to 65535.")
        }
        if record != nil, upstream == nil {
            throw ValidationError("--record keeps the replies of a server: add --upstream URL.")
        }
        try record.map { try requireFolder($0, "--record") }
        try requireAddress(host)
        if !(0...65535).contains(port) { throw ValidationError("--port is from 0 to 65535.") }
        if fault != ["list"] { _ = try settings() }
    }

    private func settings() throws -> MockSettings {
        var settings = MockSettings()
        settings.seed = seed
        settings.delay = delay
        do throws(MockError) {
            for text in fault { settings.faults.append(try FaultShare(text)) }
        } catch {
            throw ValidationError("--fault: \(error.description).")
        }
        if let tokenLife {
            settings.tokenLife = Duration(written: tokenLife)
            if settings.tokenLife == nil {
                throw ValidationError("--token-life is a time, such as 60s or 5m.")
            }
        }
        if let upstream {
            let store = record.map { Templater(folder: URL(fileURLWithPath: $0)) }
            do throws(MockError) {
                settings.upstream = try Upstream(upstream, transport: .urlSession, store: store)
            } catch {
                throw ValidationError("--upstream: \(error.description).")
            }
        }
        if let limit {
            settings.limit = MockSettings.limit(limit)
            if settings.limit == nil {
                throw ValidationError("--limit is a number in a time, such as 3/s or 100/m.")
            }
        }
        return settings
    }

    func run() throws {
        if fault == ["list"] {
            return Console.print(FaultShare.known.map { $0.name + "\n" }.joined())
        }
        var watch = SpecWatch(folder)
        let compilation = watch.compile()
        try ReportOptions.parse([]).stop(Report(compilation))
        guard let spec = MockSpec(compilation) else { throw ExitCode.failure }
        let inspector = Inspector()
        let mock = MockServer(spec, settings: try settings()) { [inspect, name = spec.api.name] in
            Console.print($0.line + "\n")
            if inspect != nil { inspector.record(InspectedCall($0, of: name)) }
        }
        let server = try started(mock)
        announce(spec, at: server.port)
        let page = try inspect.map { try shown(inspector, at: $0) }
        defer { page?.stop() }
        let signals = EndSignals()
        while !signals.wait(atMost: .milliseconds(500)) {
            guard watch.hasChanged else { continue }
            let compilation = watch.compile()
            if let spec = MockSpec(compilation) {
                mock.use(spec)
                Console.printError("the spec has changed and is served from now on\n")
            } else {
                try ReportOptions.parse([]).show(Report(compilation))
                Console.printError("the spec has errors: the one before is still served\n")
            }
        }
        server.stop()
        Console.print(mock.summary.line + "\n")
    }

    private func started(_ mock: MockServer) throws -> LoopbackServer {
        var settings = LoopbackServer.Settings()
        settings.port = port
        settings.host = host
        settings.connectionLimit = 512
        settings.silence = .seconds(120)
        settings.keepsRequests = false
        settings.onBroken = { request in
            guard let status = request.status else { return }
            let line = String(request.line.prefix { $0 != "?" }.prefix(200)).onOneLine
            Console.print("\(line)  -  \(status)  refused by the server\n")
        }
        return try LoopbackServer.started(settings) { mock.answer($0) }
    }

    /// Starts the server of the page, for this machine alone.
    private func shown(_ inspector: Inspector, at port: Int) throws -> LoopbackServer {
        var settings = LoopbackServer.Settings()
        settings.port = port
        settings.keepsRequests = false
        let page = try LoopbackServer.started(settings, inspector.answer)
        Console.print("its calls: http://127.0.0.1:\(page.port)/\n")
        return page
    }

    private func announce(_ spec: MockSpec, at port: Int) {
        let count = spec.api.groups.reduce(0) { $0 + $1.methods.count }
        let methods = "\(count) method\(count == 1 ? "" : "s")"
        Console.print("\(spec.api.name): \(methods) at http://\(host):\(port)\n")
    }
}

extension Delay: ExpressibleByArgument {
    /// Reads `200ms±50%`.
    public init?(argument: String) { self.init(argument) }
}

/// Notices when the files of a spec change, by their times and sizes.
private struct SpecWatch {
    private let folder: String
    private var seen: [String] = []

    init(_ folder: String) { self.folder = folder }

    var hasChanged: Bool { seen != stamps }

    /// Compiles the folder as it is.
    mutating func compile() -> Compilation {
        seen = stamps
        return TelexCompiler.check(SpecFolderReader.read(folder))
    }

    private var stamps: [String] {
        let url = URL(fileURLWithPath: folder)
        return FolderWalk(url).files.map { file in
            let path = url.appendingPathComponent(file).resolvingSymlinksInPath().path
            let facts = try? FileManager.default.attributesOfItem(atPath: path)
            return "\(file) \(facts?[.modificationDate] ?? "") \(facts?[.size] ?? "")"
        }
    }
}

/// The signals that ask a program to end.
private final class EndSignals {
    private let arrived = DispatchSemaphore(value: 0)
    private let sources: [any DispatchSourceSignal]

    init() {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [arrived] in arrived.signal() }
            source.resume()
        }
    }

    /// Waits for a signal. Returns whether one has arrived.
    func wait(atMost time: DispatchTimeInterval) -> Bool {
        arrived.wait(timeout: .now() + time) == .success
    }
}
