import SpecDiagnostics
import TelexJSON

/// A form of a report of drift, as an option names it.
public struct DriftFormat: Sendable {
    /// The word for it.
    public let name: String
    /// What it is for.
    public let purpose: String
    /// Renders a report.
    public let render: @Sendable (DriftReport) -> String

    /// All forms, in the order in which they are listed.
    public static let all: [Self] = [
        .text, Self(name: "json", purpose: "is for tools") { $0.json },
        Self(name: "github", purpose: "is for the lines of a pull request in GitHub Actions") {
            $0.gitHubCommands
        },
    ]

    /// For people.
    public static let text = Self(name: "text", purpose: "is for people") { $0.text }

    /// The form with a name; nil if there is none.
    public init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    private init(
        name: String, purpose: String, render: @escaping @Sendable (DriftReport) -> String
    ) {
        self.name = name
        self.purpose = purpose
        self.render = render
    }
}

extension DriftReport.Finding {
    /// The violation in one line.
    var sentence: String {
        let values = found.joined(separator: " or ")
        return "\(path): expected \(expected), found \(values) [\(rule)]"
    }

    fileprivate func share(of total: Int) -> String {
        let noun = isRequest ? "request" : "repl"
        let plural = isRequest ? "requests" : "replies"
        let of = total > 1 ? " of \(total.grouped) \(plural)" : isRequest ? " request" : " reply"
        return noun.isEmpty ? "" : "\(count.grouped)\(of)"
    }
}

extension DriftReport.Method {
    fileprivate func total(_ finding: DriftReport.Finding) -> Int {
        finding.isRequest ? requests : replies
    }

    fileprivate var text: String {
        let head = "\(name) (\(request)): " + replies.counted("reply", "replies")
        let missing = unread > 0 ? ", \(unread.grouped) more without content" : ""
        let lines = findings.map { finding in
            let mark = finding.isNote ? "note: " : finding.isRequest ? "request: " : ""
            let place = finding.place.map { "; \($0)" } ?? ""
            return "  \(mark)\(finding.sentence)\n"
                + "    in \(finding.share(of: total(finding))), such as \(finding.example)\(place)\n"
        }
        return TerminalText.lines("\(head)\(missing)\n" + lines.joined())
    }
}

extension DriftReport {
    /// The report for people: methods with findings, then what the spec does not have.
    var text: String {
        var text = methods.filter { !$0.findings.isEmpty }.map(\.text).joined(separator: "\n")
        for (title, items) in [
            ("no method of the spec sends", unknown), ("several methods send", ambiguous),
        ] where !items.isEmpty {
            text += (text.isEmpty ? "" : "\n") + title + "\n"
            for item in items {
                let line = "  \(item.request), \(item.count.counted("time", "times")), such as "
                text += TerminalText.lines(line + item.example + "\n")
            }
        }
        if !otherHosts.isEmpty {
            let count = otherHosts.map(\.count).reduce(0, +)
            let names = otherHosts.prefix(5).map(\.host).joined(separator: ", ")
            text += (text.isEmpty ? "" : "\n")
            text += TerminalText.lines(
                "not compared: \(count.counted("request", "requests")) to other hosts, or of documents: "
                    + names
                    + (otherHosts.count > 5 ? ", …" : "") + "\n")
        }
        return text + (text.isEmpty ? "" : "\n") + summary
    }

    /// The last line.
    private var summary: String {
        let replies = methods.map(\.replies).reduce(0, +)
        let findings = methods.flatMap(\.findings)
        let drift = findings.count { !$0.isNote } + unknown.count
        let notes = findings.count(where: \.isNote)
        return "\(replies.counted("reply", "replies")) of \(methods.count.counted("method", "methods")): "
            + (drift == 0 ? "no drift" : drift.counted("deviation", "deviations"))
            + (notes == 0 ? "" : ", \(notes.counted("note", "notes"))") + "\n"
    }

    fileprivate var gitHubCommands: String {
        var text = ""
        for method in methods {
            for finding in method.findings {
                let parts = finding.place?.split(separator: ":").map(String.init) ?? []
                let place = parts.count > 2 ? [("file", parts[0]), ("line", parts[1])] : []
                text += GitHubRenderer.command(
                    finding.isNote ? "notice" : "error",
                    place + [("title", "Drift of \(method.name)")],
                    [
                        "\(finding.sentence), in \(finding.share(of: method.total(finding))), such as "
                            + finding.example
                    ])
            }
        }
        for item in unknown {
            text += GitHubRenderer.command(
                "error", [("title", "Not in the spec")],
                ["\(item.request), \(item.count.counted("time", "times")), such as \(item.example)"])
        }
        return text
    }

    fileprivate var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.field("drift", hasDrift)
        json.field("methods", methods) { json, methods in
            json.list(methods) { json, method in method.write(to: &json) }
        }
        for (key, items) in [("unknown", unknown), ("ambiguous", ambiguous)] {
            json.field(key, items) { json, items in
                json.list(items) { json, item in
                    json.beginObject()
                    json.field("request", item.request)
                    json.field("count", item.count)
                    json.field("example", item.example)
                    json.endObject()
                }
            }
        }
        json.field("otherHosts", otherHosts) { json, hosts in
            json.list(hosts) { json, host in
                json.beginObject()
                json.field("host", host.host)
                json.field("count", host.count)
                json.endObject()
            }
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}

extension DriftReport.Method {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.field("request", request)
        json.field("requests", requests)
        json.field("replies", replies)
        json.field("unread", unread)
        json.field("findings", findings) { json, findings in
            json.list(findings) { json, finding in
                json.beginObject()
                json.field("part", finding.isRequest ? "request" : "reply")
                json.field("path", finding.path)
                json.field("rule", finding.rule)
                json.field("expected", finding.expected)
                json.field("found", finding.found)
                json.field("note", finding.isNote)
                json.field("count", finding.count)
                json.field("example", finding.example)
                json.field("place", finding.place)
                json.endObject()
            }
        }
        json.endObject()
    }
}

extension TerminalText {
    /// Lines with control characters escaped.
    fileprivate static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            .joined(separator: "\n")
    }
}

extension Int {
    /// The digits in groups of three: `4,031`.
    var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }

    /// The number with its noun.
    func counted(_ one: String, _ many: String) -> String {
        "\(grouped) \(self == 1 ? one : many)"
    }
}
