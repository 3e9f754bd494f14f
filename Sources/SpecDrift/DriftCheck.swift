import SpecDiagnostics
import SpecIR
import SpecInterpreter
import SpecSecretNames
import SpecSemantics
import SpecSyntax
import TelexCompiler
import TelexJSON

/// Compares traffic with a spec, exchange by exchange.
public struct DriftCheck {
    /// What is compared.
    public struct Options: Sendable {
        /// Whether keys that the spec does not declare are drift; otherwise they are notes.
        public var strictKeys = false

        /// The default: undeclared keys are notes.
        public init() {}
    }

    private let options: Options
    private let matcher: MethodMatcher
    private let interpreter: SpecInterpreter
    private let methods: [String: SpecIR.Method]
    private let hosts: Set<String>
    private let declarations: Declarations
    private let sources: SourceMap
    /// What became of each request that was matched, by verb and path.
    private var known: [String: [MethodMatcher.Match]] = [:]
    private var counts: [String: (requests: Int, replies: Int, unread: Int)] = [:]
    private var findings: [Key: DriftReport.Finding] = [:]
    private var unknown: [String: DriftReport.Request] = [:]
    private var ambiguous: [String: DriftReport.Request] = [:]
    private var others: [String: Int] = [:]
    private var problems: [Recording.Problem] = []

    private struct Key: Hashable {
        let method: String
        let isRequest: Bool
        let path: String
        let rule: String
        let kind: JSONKindName?
    }

    /// Prepares a comparison; nil for a spec with errors.
    public init?(_ compilation: Compilation, _ options: Options = Options()) {
        guard let api = compilation.api else { return nil }
        self.options = options
        declarations = Declarations(compilation, api)
        sources = compilation.sources
        matcher = MethodMatcher(api)
        interpreter = SpecInterpreter(api)
        methods = Dictionary(api.groups.flatMap(\.methods).map { ($0.apiName, $0) }) { one, _ in one }
        hosts = Set(api.servers.map { Recording.host(of: $0.url) })
    }

    // MARK: Exchanges

    /// Compares an exchange of a recording.
    public mutating func add(_ entry: Recording.Entry) {
        guard let match = match(entry) else { return }
        counts[match.method, default: (0, 0, 0)].requests += 1
        checkRequest(entry, match)
        guard entry.status > 0, interpreter.isSuccess(entry.status, of: match.method) else { return }
        checkReply(entry, match.method)
    }

    /// Keeps why an entry cannot be read.
    public mutating func add(_ problem: Recording.Problem) { problems.append(problem) }

    private mutating func match(_ entry: Recording.Entry) -> MethodMatcher.Match? {
        let request = "\(entry.verb) \(entry.path)"
        let found = known[request] ?? matcher.matches(entry.verb, path: entry.path)
        known[request] = found
        let fitting = found.count < 2 ? found : found.filter { match in
            !interpreter.check(entry.values(path: match.placeholders), of: match.method)
                .contains { $0.violation.rule == "const" }
        }
        if fitting.count == 1 { return fitting[0] }
        if found.isEmpty, !hosts.contains(entry.host) || !entry.isCall {
            others[entry.host, default: 0] += 1
            return nil
        }
        let item = DriftReport.Request(request: request, count: 0, example: entry.place)
        if found.isEmpty {
            unknown[request, default: item].count += 1
        } else {
            ambiguous[request, default: item].count += 1
        }
        return nil
    }

    private mutating func checkRequest(_ entry: Recording.Entry, _ match: MethodMatcher.Match) {
        if entry.request.isCut { return }
        let values = entry.values(path: match.placeholders)
        let syntax = declarations.returns[match.method]
        var seen: Set<Key> = []
        for item in interpreter.check(values, of: match.method) {
            // A body may be left out of a recording.
            let isLeftOut = item.violation.rule == "required" && values.body == nil
                && item.parameter.map { [.json, .body, .form, .part].contains($0.location) } == true
            if isLeftOut { continue }
            add(item.violation, of: match.method, isRequest: true, at: entry.place, &seen) { _ in
                let name = item.parameter?.key ?? ""
                return syntax?.parameters.first { $0.jsonKeys == [name] }?.key.span
            }
        }
    }

    private mutating func checkReply(_ entry: Recording.Entry, _ method: String) {
        guard let declared = methods[method], !declared.output.values.isEmpty else { return }
        if case .statuses(let replies) = declared.output,
            !replies.cases.contains(where: { $0.status == entry.status })
        {
            let all = replies.cases.map { String($0.status) }.joined(separator: ", ")
            let violation = Violation(
                path: "$", check: .types, rule: "status", expected: "one of the statuses \(all)",
                found: String(entry.status))
            var seen: Set<Key> = []
            add(violation, of: method, isRequest: false, at: entry.place, &seen) { _ in nil }
            return
        }
        let isEmpty = entry.reply.text == nil && (entry.status == 204 || entry.reply.size == 0)
        guard let bytes = isEmpty ? [] : entry.reply.bytes, !entry.reply.isCut else {
            counts[method]?.unread += 1
            return
        }
        counts[method]?.replies += 1
        var seen: Set<Key> = []
        for element in declared.elements(of: bytes) {
            let report = interpreter.check(element, of: method, status: entry.status, notes: true)
            add(report, of: method, element, at: entry.place, status: entry.status, &seen)
        }
    }

    private mutating func add(
        _ report: SpecInterpreter.ReplyReport, of method: String, _ bytes: [UInt8], at place: String,
        status: Int?, _ seen: inout Set<Key>
    ) {
        if let error = report.validation.syntaxError {
            let violation = Violation(
                path: error.path, check: .types, rule: "json", expected: "JSON",
                found: "text that is not: \(error.reason)")
            add(violation, of: method, isRequest: false, at: place, &seen) { _ in nil }
            return
        }
        for violation in report.validation.violations {
            add(violation, of: method, isRequest: false, at: place, &seen, in: bytes) {
                [declarations] path in
                declarations.declaration(of: path, in: method, status: status)?.place
            }
        }
        for note in report.notes {
            var violation = Violation(
                path: note.path, check: .nestedKeys, rule: note.kind.rawValue,
                expected: note.kind.expectation, found: note.found.shortText)
            if note.kind == .undeclaredKey, !options.strictKeys { violation.severity = .warning }
            let parent = note.kind == .undeclaredKey
            add(violation, of: method, isRequest: false, at: place, &seen, sample: note.found) {
                [declarations] path in
                var steps = SpecWalk.steps(path)
                if parent { _ = steps?.popLast() }
                return steps.flatMap {
                    declarations.declaration(of: $0, in: method, status: status)
                }?.place
            }
        }
    }

    // MARK: Reports of apps

    /// Adds a violation that an app has reported (`validate: warn`).
    public mutating func add(_ violation: Violation, of method: String, at place: String) {
        guard methods[method] != nil else {
            let item = DriftReport.Request(request: method, count: 0, example: place)
            unknown[method, default: item].count += 1
            return
        }
        counts[method, default: (0, 0, 0)].replies += 1
        var seen: Set<Key> = []
        add(violation, of: method, isRequest: false, at: place, &seen) {
            [declarations] path in
            declarations.declaration(of: path, in: method, status: nil)?.place
        }
    }

    // MARK: Findings

    private mutating func add(
        _ violation: Violation, of method: String, isRequest: Bool, at place: String,
        _ seen: inout Set<Key>, in bytes: [UInt8] = [], sample: JSONValue? = nil,
        _ declaration: (String) -> Span?
    ) {
        // A recorder has removed the value.
        if violation.found.contains(Violation.redacted) { return }
        var violation = violation
        let names = violation.path.split { "[]\".".contains($0) }
        let isSecret = names.contains { SecretName.isSuspicious(String($0)) }
        let kind = violation.rule == "type" ? JSONKindName(ofFound: violation.found) : nil
        let key = Key(
            method: method, isRequest: isRequest, path: SpecWalk.normal(violation.path),
            rule: violation.rule, kind: kind)
        if isSecret, kind != .null { violation.found = Violation.redacted }
        var finding =
            findings[key]
            ?? DriftReport.Finding(
                violation, isRequest: isRequest, path: key.path, example: place,
                place: declaration(violation.path).map(sources.place))
        if seen.insert(key).inserted { finding.count += 1 }
        finding.note(violation, kind, in: bytes, sample)
        findings[key] = finding
    }

    /// What was found so far.
    public func report() -> DriftReport {
        let names = methods.keys.sorted().filter { counts[$0] != nil }
        return DriftReport(
            methods: names.map { name in
                let own = findings.filter { $0.key.method == name }.map(\.value)
                return DriftReport.Method(
                    name: name, request: methods[name].map { "\($0.verb.name) \($0.path)" } ?? "",
                    requests: counts[name]?.requests ?? 0, replies: counts[name]?.replies ?? 0,
                    unread: counts[name]?.unread ?? 0, findings: own.sorted(by: <))
            },
            unknown: unknown.values.sorted { $0.request < $1.request },
            ambiguous: ambiguous.values.sorted { $0.request < $1.request },
            otherHosts: others.sorted { $0.key < $1.key }.map { .init(host: $0.key, count: $0.value) },
            problems: problems)
    }
}

extension SpecWalk.Found {
    /// Where it is declared.
    var place: Span { field.map(\.key.span) ?? type.span }
}

extension Recording.Entry {
    /// What the entry is called in messages.
    var place: String { "log.entries[\(index)]" }
}

extension SpecIR.Method {
    /// The values that a body is made of: itself, or the elements of a stream.
    fileprivate func elements(of body: [UInt8]) -> [[UInt8]] {
        guard case .stream(let format) = operation.kind else { return [body] }
        let lines = body.split { $0 == 0x0A || $0 == 0x0D }.map { Array($0) }
        let data = Array("data:".utf8)
        let elements =
            format.framing == .jsonLines
            ? lines
            : lines.filter { $0.starts(with: data) }.map { Array($0.dropFirst(data.count)) }
        return elements.filter { line in
            let text = String(decoding: line, as: UTF8.self).drop(while: \.isWhitespace)
            return !text.isEmpty && String(text) != format.end
        }
    }
}

extension SpecNote.Kind {
    fileprivate var expectation: String {
        switch self {
        case .undeclaredKey: "a declared key"
        case .unknownCase: "a known value"
        case .unknownAlternative: "a known alternative"
        }
    }
}

/// The declarations of values in the replies of a spec.
struct Declarations: Sendable {
    let returns: [String: MethodSyntax]
    /// The paths that lead to the values of methods.
    private let unwraps: [String: [PathStep]]
    private let walk: SpecWalk

    init(_ compilation: Compilation, _ api: API) {
        let methods = api.groups.flatMap(\.methods)
        returns = Dictionary(
            methods.compactMap { method in
                SpecAnalyzer.method(method.apiName, in: compilation.spec)
                    .map { (method.apiName, $0.syntax) }
            }, uniquingKeysWith: { first, _ in first })
        unwraps = Dictionary(
            methods.map { ($0.apiName, ($0.reply ?? api.reply).unwrap) },
            uniquingKeysWith: { first, _ in first })
        walk = SpecWalk(compilation.spec)
    }

    /// The declaration of a value in the replies of a method.
    func declaration(of path: String, in method: String, status: Int?) -> SpecWalk.Found? {
        SpecWalk.steps(path).flatMap { declaration(of: $0, in: method, status: status) }
    }

    func declaration(
        of steps: [SpecWalk.Step], in method: String, status: Int?
    ) -> SpecWalk.Found? {
        guard let syntax = returns[method] else { return nil }
        let unwrap = unwraps[method] ?? []
        var rest = steps[...]
        for step in unwrap {
            switch (step, rest.first) {
            case (.key(let key), .key(let found)?) where key == found: rest = rest.dropFirst()
            case (.key, _): return nil
            case (.index, .index?), (.each, .index?), (.first, .index?): rest = rest.dropFirst()
            case (.index, _), (.each, _), (.first, _): return nil
            }
        }
        let types = syntax.replies.filter { status == nil || $0.status.value == status }.map(\.type)
        for type in [syntax.returns].compactMap(\.self) + types {
            if let found = walk.find(Array(rest), from: type, of: method) { return found }
        }
        return nil
    }
}
