import SpecDiagnostics

/// Makes a draft that compiles of one that does not: what the compiler refuses is widened, and left out
/// if it is refused again. A description comes from outside and cannot be corrected.
struct DraftMender {
    /// A piece that was changed: where the description has it, and what the compiler said of it.
    struct Change {
        var message: String
        var origin: Span?
    }

    /// The most rounds of compiling. A piece is refused at most three times: as it is, widened, and with
    /// what it belongs to.
    private static let rounds = 12

    private(set) var draft: SpecDraft
    private(set) var compiled: DraftCompiler
    private(set) var changes: [Change] = []
    private var levels: [[String]: Int] = [:]

    /// Compiles a draft, and changes it until the compiler accepts it or the rounds are over.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - shownPath: The path of a file of the spec, as messages show it.
    init(_ draft: SpecDraft, shownPath: @escaping (_ name: String) -> String = { $0 }) {
        self.draft = draft
        compiled = DraftCompiler(draft, shownPath: shownPath)
        for _ in 0..<Self.rounds where compiled.compilation.diagnostics.hasErrors {
            var seen: Set<[String]> = []
            for error in compiled.errors where seen.insert(piece(error.file, error.path)).inserted {
                mend(error.file, at: error.path, for: error.diagnostic)
            }
            compiled = DraftCompiler(self.draft, shownPath: shownPath)
        }
    }

    /// The path of the smallest piece that can be changed alone.
    private func piece(_ file: String, _ path: [String]) -> [String] {
        guard let section = path.first, path.count > 1 else { return [file] + path }
        let depth = section == "methods" ? 4 : section == "models" ? 3 : 1
        // `fields` of the long form of a model is no piece of its own.
        let isLong = section == "models" && path.count > 2 && path[2] == "fields"
        return [file] + path.prefix(isLong ? depth + 1 : depth)
    }

    private mutating func mend(_ file: String, at path: [String], for diagnostic: Diagnostic) {
        let piece = piece(file, path)
        let level = levels[piece, default: 0]
        levels[piece] = level + 1
        let message = "\(diagnostic.message) [\(diagnostic.code.id)]"
        guard let index = draft.groups.firstIndex(where: { "\($0.name).yaml" == file }) else {
            draft.settings.remove(path[...], isWhole: level > 0)
            changes.append(Change(message: message))
            return
        }
        switch path.first {
        case "methods" where path.count > 1:
            let isHere = { (method: DraftMethod) in
                [method.name, "\(file.dropLast(5)).\(method.name)"].contains(path[1])
            }
            guard let place = draft.groups[index].methods.firstIndex(where: isHere) else { return }
            let origin = draft.groups[index].methods[place].origin
            changes.append(Change(message: message, origin: origin))
            let isKept = draft.groups[index].methods[place].mend(path.dropFirst(2), level)
            if !isKept { draft.groups[index].methods.remove(at: place) }
        case "models" where path.count > 1:
            guard let place = draft.groups[index].models.firstIndex(where: { $0.name == path[1] })
            else { return }
            let origin = draft.groups[index].models[place].origin
            changes.append(Change(message: "`\(path[1])`: " + message, origin: origin))
            if path.count > 2, path[2] == "with" {
                draft.flatten(group: index, model: place, isEmpty: level > 0)
            } else {
                draft.groups[index].models[place].type.mend(path.dropFirst(2), level)
            }
        default:
            draft.groups[index].documentation.remove(path[...], isWhole: level > 0)
            changes.append(Change(message: message))
        }
    }
}

extension DraftMethod {
    /// Changes what a path leads to.
    ///
    /// - Returns: Whether the method can stay.
    fileprivate mutating func mend(_ path: ArraySlice<String>, _ level: Int) -> Bool {
        guard let key = path.first else { return mendWhole(level) }
        let name = path.dropFirst().first
        if let section = sections.firstIndex(where: { $0.name == key }) {
            guard let name, level < 2,
                let index = sections[section].fields.firstIndex(where: { $0.name == name })
            else {
                sections.remove(at: section)
                return true
            }
            if level > 0 {
                sections[section].fields.remove(at: index)
                sections.removeAll { $0.fields.isEmpty }
            } else {
                let plain = DraftType.named(key == "json" ? "json" : "string")
                sections[section].fields[index].type.widen(to: plain)
            }
        } else if key == "body" {
            if level > 0 { body = nil } else { body?.widen(to: .json) }
        } else if key == "returns" {
            returns = level > 0 ? [] : [(nil, .json)]
        } else if key == "reply-headers" {
            replyHeaders.removeAll { level > 0 || $0.name == name || name == nil }
        } else if settings[key] != nil {
            settings.removeAll { $0.key == key }
        } else if documentation[key] != nil {
            documentation.removeAll { $0.key == key }
        } else {
            return mendWhole(level)
        }
        return true
    }

    /// Leaves out what is no part of the request, and then the method.
    private mutating func mendWhole(_ level: Int) -> Bool {
        settings.removeAll { ["examples", "pages", "errors", "unwrap"].contains($0.key) }
        return level == 0
    }
}

extension DraftType {
    /// Changes what a path inside a model leads to: a field, or the whole type.
    fileprivate mutating func mend(_ path: ArraySlice<String>, _ level: Int) {
        var path = path
        if path.first == "fields" { path = path.dropFirst() }
        if let key = path.first, case .object(var object) = form,
            let index = object.fields.firstIndex(where: { $0.name == key })
        {
            if level > 0 {
                object.fields.remove(at: index)
            } else if path.dropFirst().first == "example" {
                object.fields[index].type.attributes.removeAll { $0.key == "example" }
            } else {
                object.fields[index].type.widen(to: .json)
            }
            form = .object(object)
        } else if let key = path.first, level == 0, attributes[key] != nil {
            attributes.removeAll { $0.key == key }
        } else if path.first == "additional", level == 0, case .object(var object) = form {
            object.additional = .json
            form = .object(object)
        } else {
            let doc = attributes["doc"]
            self = .json
            if let doc { attributes = [DraftEntry("doc", doc)] }
        }
    }

    /// Keeps what belongs to the place of a type, and its documentation.
    fileprivate mutating func widen(to type: DraftType) {
        var type = type
        type.isOptional = isOptional
        // Any JSON has null among its values.
        type.isNullable = isNullable && type.form != .named("json")
        type.attributes = attributes.filter { ["doc", "deprecated", "only"].contains($0.key) }
        self = type
    }
}

extension SpecDraft {
    /// Writes the fields of mixins out, or leaves the mixins out.
    fileprivate mutating func flatten(group: Int, model: Int, isEmpty: Bool) {
        guard case .object(var object) = groups[group].models[model].type.form else { return }
        let models = DraftModels(groups.flatMap(\.models))
        var lent: [DraftField] = []
        for mixin in object.mixins where !isEmpty { lent += models.fields(of: mixin) }
        let own = Set(object.fields.map(\.name))
        var seen: Set<String> = []
        object.fields =
            lent.filter { !own.contains($0.name) && seen.insert($0.name).inserted } + object.fields
        object.mixins = []
        groups[group].models[model].type.form = .object(object)
    }
}

extension DraftModels {
    /// The fields of a model and its mixins, through aliases.
    fileprivate func fields(of name: String, depth: Int = 0) -> [DraftField] {
        guard depth < 50, let type = types[name] else { return [] }
        switch type.form {
        case .named(let other): return fields(of: other, depth: depth + 1)
        case .object(let object):
            return object.mixins.flatMap { fields(of: $0, depth: depth + 1) } + object.fields
        default: return []
        }
    }
}

extension [DraftEntry] {
    /// Removes what a path leads to, with what is then empty.
    fileprivate mutating func remove(_ path: ArraySlice<String>, isWhole: Bool) {
        guard let key = path.first, let index = firstIndex(where: { $0.key == key }) else { return }
        var inner: [DraftEntry] = []
        switch self[index].value {
        case .map(let entries), .block(let entries): inner = entries
        default: break
        }
        let count = inner.count
        if path.count > 1, !isWhole { inner.remove(path.dropFirst(), isWhole: false) }
        // Nothing inside was removed: the entry itself is wrong.
        if inner.isEmpty || isWhole || inner.count == count && path.count <= 2 {
            remove(at: index)
        } else if case .block = self[index].value {
            self[index].value = .block(inner)
        } else {
            self[index].value = .map(inner)
        }
    }
}
