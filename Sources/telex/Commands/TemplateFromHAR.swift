import ArgumentParser
import SpecDiagnostics
import SpecDrift
import SpecTemplateRules
import TelexCompiler

/// `telex template from-har`
struct TemplateFromHAR: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from-har",
        abstract: "Make templates from the recording of a browser or proxy.",
        discussion: """
            Reads a HAR file (version 1.2) and finds the method of each successful JSON reply by verb \
            and path; the server and the query do not matter. Replies of one method make one \
            template. Requests that no method sends, or several, are listed.

              telex template from-har recording.har --spec specs/shop
            """)

    @Argument(help: ArgumentHelp("The recording.", valueName: "har-file"))
    var file: String

    @OptionGroup var output: TemplateOutput

    func run() throws {
        var bench = try output.bench()
        var report = Report()
        guard let api = bench.compilation.api, let entries = HARFile.read(file, into: &report)
        else { return try output.reporting.finish(report) }
        let matcher = MethodMatcher(api)
        var replies: [String: [TemplateNode]] = [:]
        var unmatched: [String: Int] = [:]
        var ambiguous: [String: Int] = [:]
        for entry in entries {
            let methods = matcher.matches(entry.verb, path: entry.path).map(\.method)
            let request = "\(entry.verb) \(entry.path)"
            guard let method = methods.first, methods.count == 1 else {
                if methods.isEmpty {
                    unmatched[request, default: 0] += 1
                } else {
                    ambiguous["\(request): \(methods.joined(separator: ", "))", default: 0] += 1
                }
                continue
            }
            if let node = HARFile.reply(of: entry, in: file, into: &report) {
                replies[method, default: []].append(node)
            }
        }
        for (method, nodes) in replies.sorted(by: { $0.key < $1.key }) {
            bench.add(method, nodes, replacing: output.replace, into: &report)
        }
        list(unmatched, under: "no method matches")
        list(ambiguous, under: "several methods match; `telex template add` takes a reply of one")
        try output.finish(bench, report)
    }

    private func list(_ requests: [String: Int], under title: String) {
        if requests.isEmpty { return }
        Console.print("\(title)\n")
        for (request, count) in requests.sorted(by: { $0.key < $1.key }) {
            Console.print("  \(request)\(count > 1 ? " (\(count) times)" : "")\n")
        }
    }
}
