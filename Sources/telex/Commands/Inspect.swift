import ArgumentParser
import Foundation
import SpecLanguageServer
import TelexCompiler
import TelexInspector
import TelexTesting

/// `telex inspect`
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the calls of an app in the browser, while they run.",
        discussion: """
            Debug builds of the app send their calls with the listener `InspectorListener`, without \
            secrets. The page shows what the engine does with them. Examples:

              telex inspect --open
              telex inspect --spec specs/vk
              telex inspect --host 0.0.0.0

            With a host, a phone on the same network can send its calls, too. It needs the pairing \
            code that is then printed. Ends with Control-C.
            """)

    @Option(help: ArgumentHelp("The port to listen at.", valueName: "port"))
    var port = Inspector.port

    @Option(
        help: ArgumentHelp(
            "The IPv4 address to listen at; 0.0.0.0 is each of this machine.", valueName: "address")
    )
    var host: String?

    @Option(help: ArgumentHelp("A spec folder, whose lines violations name.", valueName: "folder"))
    var spec: String?

    @Flag(help: "Open the page in the browser.")
    var open = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        if let spec { try requireFolder(spec, "--spec") }
        if let host { try requireAddress(host) }
        guard (0...65_535).contains(port) else {
            throw ValidationError("The port \(port) is not between 0 and 65535.")
        }
    }

    func run() throws {
        let code = host == nil ? nil : PairingCode()
        let inspector = Inspector(pairingCode: code, places: try places())
        var settings = LoopbackServer.Settings()
        settings.host = host ?? settings.host
        settings.port = port
        settings.bodyLimit = 16_777_216
        settings.connectionLimit = 512
        settings.keepsRequests = false
        let server = try LoopbackServer.started(settings, inspector.answer)
        let query = code.map { "?code=\($0.text)" } ?? ""
        let pages = shownHosts.map { "http://\($0):\(server.port)/\(query)" }
        for page in pages { Console.print("\(page)\n") }
        if let code { Console.print("pairing code: \(code.text)\n") }
        if open, let page = pages.first { show(page) }
        // The server's threads do not keep the process running.
        withExtendedLifetime(server) { DispatchSemaphore(value: 0).wait() }
    }

    /// The addresses under which other machines, or this one, reach the server.
    private var shownHosts: [String] {
        guard host == "0.0.0.0" else { return [host ?? "127.0.0.1"] }
        let own = Host.current().addresses.filter { $0.contains(".") && !$0.hasPrefix("127.") }
        return own.isEmpty ? ["127.0.0.1"] : own.sorted()
    }

    private func places() throws -> Inspector.Places {
        guard let spec else { return { _, _, _ in nil } }
        let folder = SpecFolderReader.read(spec)
        try reporting.finish(Report(TelexCompiler.check(folder)))
        let places = ReplyPlaces(folder)
        return { _, method, path in places.place(of: path, in: method) }
    }

    /// Opens the page; a machine without a browser has the address in the terminal.
    private func show(_ page: String) {
        #if os(macOS)
            let program = "/usr/bin/open"
        #else
            let program = "/usr/bin/xdg-open"
        #endif
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [page]
        do { try process.run() } catch {
            Console.printError("the browser cannot be opened: \(program) is missing\n")
        }
    }
}
