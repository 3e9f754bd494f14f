import SpecImport
import SpecIR
import SpecSecretNames
import SpecSemantics
import SpecSyntax
import SpecTemplateRules
import TelexCompiler
import TelexJSON

/// A spec that is made from recorded traffic. Values of the traffic are not in it.
public struct TrafficSpec {
    /// Names and texts of the files.
    public private(set) var files: [(name: String, text: String)] = []
    /// What a reader of the spec should know.
    public private(set) var remarks: [String] = []

    /// All exchanges of a recording, one after the other.
    public typealias Traffic = ((Recording.Entry) -> Void) -> Void

    /// Makes a spec.
    ///
    /// - Parameters:
    ///   - name: The Swift name of the API.
    ///   - traffic: Goes through the exchanges. It is called several times.
    /// - Returns: Nil if no exchange is a call of an API.
    public init?(_ name: String, traffic: Traffic) {
        var origins: [String: Int] = [:]
        traffic { entry in
            if entry.isCall { origins[entry.origin, default: 0] += entry.reply.isJSON ? 2 : 1 }
        }
        let ranked = origins.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard let origin = ranked.first?.key else { return nil }
        let others = ranked.dropFirst().map(\.key)
        if !others.isEmpty {
            remarks.append("not in the spec: calls of " + others.joined(separator: ", "))
        }
        var samples: Set<TrafficPaths.Sample> = []
        // A token is in the reply of a log-in before it is in a request.
        var access = TrafficAccess()
        traffic { entry in
            guard entry.isCall, entry.origin == origin else { return }
            samples.insert(entry.sample)
            _ = access.note(entry)
        }
        let paths = TrafficPaths(samples)
        var calls: [[String]: TrafficMethod] = [:]
        traffic { entry in
            guard entry.isCall, entry.origin == origin else { return }
            let pattern = paths.pattern(of: entry.segments)
            guard pattern.contains(where: { $0 != TrafficPaths.placeholder }) else { return }
            calls[[entry.verb] + pattern, default: TrafficMethod(entry.verb, pattern)]
                .add(entry, &access)
        }
        guard !calls.isEmpty else { return nil }
        let shared = paths.sharedBeginning(Set(calls.values.map(\.pattern)))
        let methods = calls.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { call in
            var method = call.value
            method.path = Array(method.pattern.dropFirst(shared.count))
            return method
        }
        let server = ([origin] + shared).joined(separator: "/") + "/"
        // What is only likely is left out if it does not compile.
        for isPlain in [false, true] {
            let settings = Self.settings(name, server, access, isPlain: isPlain)
            files = Self.files(settings, methods, access, api: name, isPlain: isPlain)
            if TelexCompiler.check(folder).api != nil { break }
        }
        mend(traffic)
    }

    /// The files as a folder.
    public var folder: SpecFolder {
        SpecFolder(
            shownPath: "",
            files: files.map {
                SpecFolder.File(
                    relativePath: $0.name, shownPath: $0.name, bytes: Array($0.text.utf8))
            })
    }

    /// Edits the spec where the traffic has more than the samples of which it was made.
    private mutating func mend(_ traffic: Traffic) {
        let healing = Healing(folder, DriftCheck.Options()) { check in
            traffic { check.add($0) }
        }
        guard let healing else { return }
        files = healing.folder.files.map {
            ($0.relativePath, String(decoding: $0.bytes, as: UTF8.self))
        }
    }

    private static func settings(
        _ name: String, _ server: String, _ access: TrafficAccess, isPlain: Bool
    ) -> [DraftEntry] {
        let head = [
            DraftEntry("telex", .word("1")), DraftEntry("api", .text(name)),
            DraftEntry("servers", .map([DraftEntry("production", .text(server))])),
        ]
        return isPlain ? head : head + access.settings
    }

    private static func files(
        _ settings: [DraftEntry], _ methods: [TrafficMethod], _ access: TrafficAccess, api: String,
        isPlain: Bool
    ) -> [(name: String, text: String)] {
        var namer = TrafficNames(api)
        let groups = Dictionary(grouping: methods) { namer.group(of: $0) }
        var taken: Set<String> = [api]
        for name in groups.keys { taken.formUnion(TrafficNames.types(ofGroup: name)) }
        let things = Set(groups.keys.map(TrafficModels.thing)).subtracting(taken)
        var files = [("api.yaml", text(settings))]
        for (group, methods) in groups.sorted(by: { $0.key < $1.key }) {
            var models = TrafficModels(group, taken, things: things)
            models.secrets = methods.reduce(into: []) { $0.formUnion($1.secretKeys) }
            let named = methods.map { (method: $0, name: namer.method($0, in: group)) }
            for item in named { models.learn(item.method.reply, of: item.name) }
            let entries = named.map { item in
                DraftEntry(
                    "\(group).\(item.name)",
                    .map(item.method.entries(item.name, &models, isPlain ? nil : access)))
            }
            taken.formUnion(models.taken)
            var file = [DraftEntry("methods", .block(entries))]
            if !models.entries.isEmpty { file.append(DraftEntry("models", .block(models.entries))) }
            files.append(("\(group).yaml", text(file)))
        }
        return files
    }

    private static func text(_ entries: [DraftEntry]) -> String {
        var printer = YAMLPrinter()
        printer.print(entries)
        return printer.text
    }
}

extension Recording.Entry {
    /// Whether it is a call of an API, and no document, image or preflight.
    var isCall: Bool {
        guard status > 0, verb != "OPTIONS", verb != "CONNECT" else { return false }
        return reply.isJSON || request.isJSON || !request.parts.isEmpty
            || verb != "GET" && verb != "HEAD"
    }

    /// The scheme and the host.
    var origin: String { url.prefix { $0 != ":" }.lowercased() + "://" + host }

    /// The percent-decoded parts of the path.
    var segments: [String] {
        path.split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
    }

    fileprivate var sample: TrafficPaths.Sample {
        var form = ""
        if (200...299).contains(status) {
            let value = reply.bytes.flatMap { JSONReader.value(at: [], in: $0) }
            switch value {
            case .object(let object): form = "{" + object.keys.sorted().joined(separator: " ")
            case .array: form = "["
            default: form = "-"
            }
        }
        return TrafficPaths.Sample(verb: verb, segments: segments, form: form)
    }
}

/// The names of groups and methods.
struct TrafficNames {
    private let api: String
    private var names: Set<String> = []
    private static let verbs = [
        "GET": "get", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete",
    ]

    init(_ api: String) { self.api = api }

    /// The group of a method: the first literal part of its path.
    func group(of method: TrafficMethod) -> String {
        let word = Self.word(method.path.first { $0 != TrafficPaths.placeholder } ?? "")
        let isTaken =
            word.isEmpty || word == "api" || api.lowercased() == word + "api"
            || ReservedNames.managerProperties.contains { $0.lowercased() == word }
        return isTaken ? word + "calls" : word
    }

    /// The Swift types that a group declares.
    static func types(ofGroup name: String) -> [String] {
        GroupNames(property: name, stem: name.prefix(1).uppercased() + name.dropFirst()).types
    }

    /// The name of a method: the rest of its path, and what its verb does.
    mutating func method(_ method: TrafficMethod, in group: String) -> String {
        let literals = method.path.filter { $0 != TrafficPaths.placeholder }.dropFirst()
        let base = literals.map(Self.word).filter { !$0.isEmpty }.enumerated()
            .map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
        let isOne = method.path.last == TrafficPaths.placeholder
        var verb = Self.verbs[method.verb] ?? Self.word(method.verb)
        if verb == "get", !isOne, method.hasList { verb = "list" }
        let isBare = !base.isEmpty && !isOne && ["GET", "POST"].contains(method.verb)
        let candidates =
            (isBare ? [base] : [])
            + [base.isEmpty ? verb : base + verb.prefix(1).uppercased() + verb.dropFirst()]
        for name in candidates where names.insert("\(group).\(name)").inserted { return name }
        var number = 2
        while !names.insert("\(group).\(candidates[0])\(number)").inserted { number += 1 }
        return "\(candidates[0])\(number)"
    }

    /// The text in letters and digits, without digits at the beginning.
    private static func word(_ text: String) -> String {
        let plain = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return String(plain.drop(while: \.isNumber).prefix(40))
    }
}
