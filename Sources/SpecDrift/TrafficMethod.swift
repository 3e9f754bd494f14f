import SpecImport
import SpecSecretNames
import SpecSemantics
import SpecTemplateRules
import TelexJSON

/// The calls of one verb and path.
struct TrafficMethod {
    let verb: String
    let pattern: [String]
    /// The pattern behind the server's address.
    var path: [String] = []
    /// The JSON of successful replies.
    private(set) var reply: [TemplateNode] = []
    private var bodies: [TemplateNode] = []
    private var query = TrafficTexts()
    private var form = TrafficTexts()
    private var hasFiles = false
    private var placeholders: [TrafficTexts]
    private var count = 0
    private var withToken = 0
    private var login: [String]?
    private var hasOtherReply = false

    /// More replies tell nothing new, mostly; the rest is mended.
    private static let mostSamples = 300

    init(_ verb: String, _ pattern: [String]) {
        self.verb = verb
        self.pattern = pattern
        let places = pattern.count { $0 == TrafficPaths.placeholder }
        placeholders = Array(repeating: TrafficTexts(), count: places)
    }

    /// Whether most replies are lists, or have one.
    var hasList: Bool {
        reply.contains { node in
            switch node.value {
            case .array: true
            case .object(let members):
                members.contains { if case .array = $0.value.value { true } else { false } }
            default: false
            }
        }
    }

    /// The keys of the tokens in its replies.
    var secretKeys: Set<String> {
        guard case .map(let parts)? = TrafficAccess.login(login, in: reply) else { return [] }
        return Set(
            parts.filter { $0.key != "expires-in" }.compactMap { part in
                guard case .text(let path) = part.value else { return nil }
                return path.split(separator: ".").last.map(String.init)
            })
    }

    mutating func add(_ entry: Recording.Entry, _ access: inout TrafficAccess) {
        count += 1
        if access.note(entry) { withToken += 1 }
        let texts = zip(entry.segments, pattern).filter { $1 == TrafficPaths.placeholder }.map(\.0)
        for (index, text) in texts.enumerated() { placeholders[index].add([("", text)]) }
        query.add(entry.query.filter { !SecretName.isSuspicious($0.name) })
        form.add(entry.request.parts.map { ($0.name, $0.text ?? "") })
        if entry.request.parts.contains(where: { $0.text == nil }) { hasFiles = true }
        if entry.request.isJSON, bodies.count < Self.mostSamples,
            let body = entry.request.bytes.flatMap({ try? TemplateParser.parse($0) })
        {
            bodies.append(body)
        }
        guard (200...299).contains(entry.status) else { return access.noteError(entry) }
        guard entry.reply.isJSON, let bytes = entry.reply.bytes,
            let node = try? TemplateParser.parse(bytes)
        else {
            if entry.reply.text != nil { hasOtherReply = true }
            return
        }
        if reply.count < Self.mostSamples { reply.append(node) }
        if login == nil { login = access.loginPath(in: node) }
    }

    // MARK: Entries

    /// The entries of the method in its group.
    func entries(
        _ name: String, _ models: inout TrafficModels, _ access: TrafficAccess?
    ) -> [DraftEntry] {
        var entries: [DraftEntry] = []
        var names: [DraftEntry] = []
        var text: [String] = []
        for (index, segment) in path.enumerated() {
            guard segment == TrafficPaths.placeholder else {
                text.append(segment.addingPathEscapes)
                continue
            }
            let isLast = !path.dropFirst(index + 1).contains(TrafficPaths.placeholder)
            let owner = index > 0 ? singular(path[index - 1].lowercased()) : ""
            let stem = owner.filter { $0.isASCII && $0.isLetter }
            var key = isLast || stem.isEmpty ? "id" : stem + "_id"
            while names.contains(where: { $0.key == key }) { key += "2" }
            names.append(DraftEntry(key, .type(placeholders[names.count].type(of: "") ?? "string")))
            text.append("{\(key)}")
        }
        let address = text.joined(separator: "/")
        let key = verb.lowercased()
        let isKnown = ["get", "post", "put", "patch", "delete", "head"].contains(key)
        entries.append(
            isKnown ? DraftEntry(key, .text(address)) : DraftEntry("method", .text("\(verb) \(address)")))
        if let access, access.isUsed, withToken < count {
            entries.append(DraftEntry("auth", .text(withToken == 0 ? "none" : "optional")))
        }
        if !names.isEmpty { entries.append(DraftEntry("path", .map(names))) }
        if let query = query.entries(of: count) { entries.append(DraftEntry("query", query)) }
        entries += body(name, &models)
        entries.append(DraftEntry("returns", .type(returns(name, &models))))
        if access != nil, let login = TrafficAccess.login(login, in: reply) {
            entries.append(DraftEntry("login", login))
        }
        return entries
    }

    private func body(_ name: String, _ models: inout TrafficModels) -> [DraftEntry] {
        if !bodies.isEmpty {
            let fields = models.fields(of: bodies, named: name + "Body")
            if let fields, !fields.isEmpty { return [DraftEntry("json", .map(fields))] }
            return [DraftEntry("body", .type(models.type(of: bodies, named: name + "Body")))]
        }
        guard let fields = form.entries(of: count, hasFiles: hasFiles) else { return [] }
        return [DraftEntry(hasFiles ? "multipart" : "form", fields)]
    }

    private func returns(_ name: String, _ models: inout TrafficModels) -> String {
        if reply.isEmpty { return hasOtherReply ? "bytes" : "nothing" }
        return models.type(of: reply, named: name)
    }
}

/// Texts of named values, of which types are made.
struct TrafficTexts {
    private var texts: [String: (isInteger: Bool, isNumber: Bool, isBool: Bool, isList: Bool, calls: Int)] =
        [:]
    private var order: [String] = []

    mutating func add(_ pairs: [(name: String, text: String)]) {
        for (name, items) in Dictionary(grouping: pairs, by: \.name) {
            if texts[name] == nil { order.append(name) }
            var known = texts[name] ?? (true, true, true, false, 0)
            for (_, text) in items {
                known.isInteger = known.isInteger && Int(text).map(String.init) == text
                known.isNumber = known.isNumber && JSONValue(json: text)?.asDouble != nil
                known.isBool = known.isBool && ["true", "false"].contains(text)
            }
            known.isList = known.isList || items.count > 1
            known.calls += 1
            texts[name] = known
        }
    }

    /// The type of a value; nil if it was never there.
    func type(of name: String) -> String? {
        guard let known = texts[name] else { return nil }
        let type =
            known.isInteger ? "int" : known.isNumber ? "double" : known.isBool ? "bool" : "string"
        return known.isList ? "[\(type)]" : type
    }

    /// The values as parameters; nil if there are none.
    func entries(of calls: Int, hasFiles: Bool = false) -> DraftValue? {
        var used: Set<String> = []
        let entries = order.sorted().filter { !$0.isEmpty }.map { name in
            let isOptional = (texts[name]?.calls ?? 0) < calls
            var type = type(of: name) ?? "string"
            if hasFiles, texts[name]?.isInteger == false, type == "string" { type = "file" }
            let isList = type.hasPrefix("[")
            if isOptional, !isList { type += "?" }
            var attributes = isOptional && isList ? [DraftEntry("optional", .word("true"))] : []
            // A name that Swift cannot have gets another one.
            var key = name
            let swift = SwiftNamer().lowerCamel(name)
            let isName = swift.map { SwiftNamer.isIdentifier($0) && used.insert($0).inserted }
            if isName != true {
                key = "value"
                while !used.insert(key).inserted { key += "2" }
                attributes.append(DraftEntry("key", .text(name)))
            }
            let long = DraftValue.map([DraftEntry("type", .type(type))] + attributes)
            var entry = DraftEntry(key, attributes.isEmpty ? .type(type) : long)
            entry.isQuoted = true
            return entry
        }
        return entries.isEmpty ? nil : .map(entries)
    }
}

extension String {
    /// The segment as a path of a spec has it.
    fileprivate var addingPathEscapes: String {
        let allowed = Set("-._~!&'()*+,;=:@".utf8)
        return utf8.map { byte in
            let isPlain =
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                || allowed.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
