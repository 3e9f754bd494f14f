import ArgumentParser
import Foundation
import SpecCall
import SpecDiagnostics
import SpecLanguageServer
import SpecMock
import TelexCompiler
import TelexJSON
import TelexRuntime
import TelexURLSession

/// `telex call`
struct CallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call a method by its spec.",
        discussion: """
            Checks the arguments, sends the request, and checks the reply. Prints the body on \
            standard output, and what breaks the spec on standard error. An argument is name=value: \
            a text, a number, JSON for objects, a,b,c or JSON for lists, or @file for the content of a \
            file. Exits with 1 if the arguments or the reply break the spec, or the call fails.

              telex call users.get user_ids=1,2 --spec specs/vk
              telex call wall.get owner_id=1 --spec specs/vk --all
              telex call users.get user_ids=1 --spec specs/vk --curl

            The token comes from --token, or from the variable TELEX_TOKEN, which no history keeps.
            """)

    @Argument(
        help: ArgumentHelp("The method, such as users.get.", valueName: "method"),
        completion: .custom { words, _, _ in SpecNames(words).methods })
    var method: String

    @Argument(
        help: ArgumentHelp("The arguments, each name=value.", valueName: "arguments"),
        completion: .custom { words, _, _ in SpecNames(words).parameters })
    var arguments: [String] = []

    @Option(help: ArgumentHelp("The spec folder.", valueName: "folder"), completion: .directory)
    var spec = "."

    @Option(help: "The token, or name:password for Basic authentication.")
    var token: String?

    @Option(
        help: ArgumentHelp(
            "The name of a server of the spec, or an address.", valueName: "server"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "A variable of the server's address; may be repeated.", valueName: "name=value"))
    var variable: [String] = []

    @Flag(help: "Print the curl command instead; TOKEN stands for the token.")
    var curl = false

    @Flag(help: "Turn all pages, and print their items, one a line.")
    var all = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        try requireFolder(spec, "--spec")
        if curl, all { throw ValidationError("--curl and --all exclude each other.") }
        for word in variable where !word.contains("=") {
            throw ValidationError("--variable \(word) is not name=value.")
        }
    }

    func run() throws {
        let folder = SpecFolderReader.read(spec)
        let compilation = TelexCompiler.compile(folder)
        try reporting.stop(Report(compilation))
        guard let api = compilation.api else { throw ExitCode.failure }
        do {
            let caller = try SpecCaller(
                method, of: api, settings: settings, transport: URLSessionTransport())
            try check(caller, ParameterPlaces(compilation))
            let arguments = arguments
            if curl {
                return Console.print(try waiting { try await caller.curl(arguments) } + "\n")
            }
            let places = ReplyPlaces(folder)
            guard all else {
                return try show(try waiting { try await caller.call(arguments) }, places)
            }
            var pages = try PageWalk(caller, of: api, arguments)
            while let (page, rest) = try next(pages) {
                for item in page.items { Console.print(item.description + "\n") }
                try judge(page.answer, places)
                pages = rest
            }
        } catch let error as CallError {
            try fail(error.message, help: error.help)
        } catch let error as APIError {
            try fail(error.localizedDescription, help: nil)
        }
    }

    private func next(_ pages: PageWalk) throws -> (PageWalk.Page, PageWalk)? {
        try waiting {
            var pages = pages
            return try await pages.next().map { ($0, pages) }
        }
    }

    private var settings: SpecCaller.Settings {
        var settings = SpecCaller.Settings()
        settings.server = server
        settings.token = token ?? ProcessInfo.processInfo.environment["TELEX_TOKEN"]
        for word in variable {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            settings.variables[String(parts[0])] = String(parts[1])
        }
        return settings
    }

    /// Ends the command if the arguments break the spec.
    private func check(_ caller: SpecCaller, _ places: ParameterPlaces) throws {
        let found = try caller.violations(arguments)
        for item in found {
            let place = places[method, item.parameter?.key ?? ""]
            show(item.violation, at: place.isEmpty ? nil : place)
        }
        if found.contains(where: { $0.violation.severity == .error }) { throw ExitCode.failure }
    }

    private func show(_ answer: SpecCaller.Answer, _ places: ReplyPlaces) throws {
        Console.write(Data(answer.body))
        if !answer.body.isEmpty, answer.body.last != UInt8(ascii: "\n") { Console.print("\n") }
        try judge(answer, places)
    }

    private func judge(_ answer: SpecCaller.Answer, _ places: ReplyPlaces) throws {
        guard answer.isSuccess else {
            return try fail(
                "the status is \(answer.status), which the spec calls no success", help: nil)
        }
        for violation in answer.violations {
            show(violation, at: places.place(of: violation.path, in: method))
        }
        if answer.violations.contains(where: { $0.severity == .error }) { throw ExitCode.failure }
    }

    private func show(_ violation: Violation, at place: String?) {
        Console.printError(
            "\(violation.severity == .error ? "error" : "warning"): \(violation.path): expected "
                + "\(violation.expected), found \(violation.found)\(place.map { " (\($0))" } ?? "")\n"
        )
    }

    private func fail(_ message: String, help: String?) throws {
        Console.printError("error: \(message)\n" + (help.map { "  help: \($0)\n" } ?? ""))
        throw ExitCode.failure
    }
}

/// Runs asynchronous work to its end, while the calling thread waits.
private func waiting<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Lock<Result<Value, any Error>?>(nil)
    Task {
        let value: Result<Value, any Error>
        do { value = .success(try await work()) } catch { value = .failure(error) }
        result.withLock { $0 = value }
        done.signal()
    }
    done.wait()
    guard let value = result.withLock({ $0 }) else { throw ExitCode.failure }
    return try value.get()
}

/// The names of a spec, for the completion of a command line.
private struct SpecNames {
    private let compilation: Compilation
    private let method: String?

    /// - Parameter words: The command line so far.
    init(_ words: [String]) {
        let options = words.indices.filter { words[$0] == "--spec" }
        let folder = options.last.flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil } ?? "."
        compilation = TelexCompiler.check(SpecFolderReader.read(folder))
        method = words.drop { $0 != "call" }.dropFirst().first { !$0.hasPrefix("-") }
    }

    var methods: [String] {
        compilation.api?.groups.flatMap(\.methods).map(\.apiName) ?? []
    }

    var parameters: [String] {
        let found = compilation.api?.groups.flatMap(\.methods).first { $0.apiName == method }
        return found?.parameters.filter { !$0.presence.isFixed }.map { "\($0.key)=" } ?? []
    }
}
