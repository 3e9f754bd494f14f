import SpecSemantics

/// Gives Swift names to what would get one that is taken: inline types, fields, parameters and
/// alternatives. Names are derived as the compiler does.
struct DraftNamer {
    private let namer = SwiftNamer()
    /// The names of types in the module.
    private var module: Set<String>
    private let models: [String: DraftType]

    /// What an inline type is named by.
    private struct Scope {
        /// The name of the type that it is declared in; empty: the module.
        var parent = ""
        var prefix = ""
        var mentioned: Set<String> = []
    }

    static func name(_ draft: inout SpecDraft, taken: Set<String>) {
        var namer = DraftNamer(draft, taken: taken)
        namer.name(&draft)
    }

    private init(_ draft: SpecDraft, taken: Set<String>) {
        let all = draft.groups.flatMap(\.models)
        models = Dictionary(all.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        module = taken
    }

    private mutating func name(_ draft: inout SpecDraft) {
        for group in draft.groups.indices {
            for index in draft.groups[group].models.indices {
                name(&draft.groups[group].models[index])
            }
        }
        for group in draft.groups.indices {
            for index in draft.groups[group].methods.indices {
                name(&draft.groups[group].methods[index], in: draft.groups[group].name)
            }
        }
    }

    // MARK: Models

    private mutating func name(_ model: inout DraftModel) {
        var nested: Set<String> = [model.name]
        nameParts(of: &model.type, named: model.name, &nested)
    }

    /// Names the types inside a declared type.
    private mutating func nameParts(
        of type: inout DraftType, named name: String, _ nested: inout Set<String>
    ) {
        var scope = Scope(parent: name)
        scope.mentioned = heads(of: type).union([name])
        switch type.form {
        case .object(var object):
            nameFields(
                &object.fields, besides: lent(object), hasAdditional: object.additional != nil)
            for index in object.fields.indices {
                let key = object.fields[index].name
                nameTypes(in: &object.fields[index].type, key: key, scope, &nested)
            }
            if var additional = object.additional {
                nameTypes(in: &additional, key: "additional", scope, &nested)
                object.additional = additional
            }
            type.form = .object(object)
        case .union(var union):
            nameAlternatives(&union)
            for index in union.alternatives.indices {
                let key = union.alternatives[index].name ?? "choice"
                nameTypes(in: &union.alternatives[index].type, key: key, scope, &nested)
            }
            type.form = .union(union)
        default: break
        }
    }

    /// The models that a type refers to, those behind aliases included.
    private func heads(of type: DraftType) -> Set<String> {
        var heads: Set<String> = []
        var open = type.mentions
        while let name = open.popLast() {
            guard heads.insert(name).inserted, let model = models[name] else { continue }
            switch model.form {
            case .named, .list, .map: open += model.mentions
            default: break
            }
        }
        return heads
    }

    /// The Swift names of the fields that mixins lend, with their keys.
    private func lent(_ object: DraftObject, depth: Int = 0) -> [String: String] {
        var names: [String: String] = [:]
        for mixin in object.mixins where depth < 20 {
            guard case .object(let lender)? = models[mixin]?.form else { continue }
            for field in lender.fields {
                if let name = swiftName(field.name) { names[name] = field.name }
            }
            names.merge(lent(lender, depth: depth + 1)) { first, _ in first }
        }
        return names
    }

    private func swiftName(_ key: String) -> String? {
        namer.lowerCamel(key).map { ReservedNames.fields.contains($0) ? $0 + "Value" : $0 }
    }

    private func nameFields(
        _ fields: inout [DraftField], besides lent: [String: String] = [:], hasAdditional: Bool
    ) {
        var taken = Set(lent.keys)
        if hasAdditional { taken.insert("additional") }
        for index in fields.indices {
            let name = swiftName(fields[index].name)
            // A field that is declared again has the name that it has in the mixin.
            if let name, lent[name] == fields[index].name { continue }
            if let name, taken.insert(name).inserted { continue }
            let unique = (name ?? "value").unique { taken.insert($0).inserted }
            fields[index].type.setSwift("name", unique)
        }
    }

    private func nameAlternatives(_ union: inout DraftUnion) {
        var taken: Set<String> = []
        for index in union.alternatives.indices {
            guard let key = union.alternatives[index].name else { continue }
            let isNumber = union.tagsAreIntegers && !key.hasPrefix("-")
            let source = isNumber ? "value\(key)" : key.isEmpty ? "empty" : key
            let type = union.alternatives[index].type
            let name = type.swiftName ?? namer.lowerCamel(source)
            if let name, taken.insert(name).inserted { continue }
            let unique = (name ?? "choice").unique { taken.insert($0).inserted }
            union.alternatives[index].type.attributes.removeAll { $0.key == "swift" }
            union.alternatives[index].type.setSwift("name", unique)
        }
    }

    // MARK: Inline types

    private mutating func nameTypes(
        in type: inout DraftType, key: String, _ scope: Scope, _ nested: inout Set<String>
    ) {
        switch type.form {
        case .list(var element):
            nameTypes(in: &element, key: singular(key), scope, &nested)
            type.form = .list(element)
        case .map(let mapKey, var value):
            nameTypes(in: &value, key: singular(key), scope, &nested)
            type.form = .map(key: mapKey, value: value)
        case .object, .enumeration, .union:
            let name = typeName(key, scope: scope, nested: &nested, type: &type)
            nameParts(of: &type, named: name, &nested)
        case .named, .constant: break
        }
    }

    /// The name of an inline type. One that is taken gets another, which the type states.
    private mutating func typeName(
        _ key: String, scope: Scope, nested: inout Set<String>, type: inout DraftType
    ) -> String {
        let isOfModule = scope.parent.isEmpty
        let base = namer.upperCamel(key)
        if let base {
            let full = scope.prefix + base
            let reserved = ReservedNames.types(in: scope.parent)
            let isTaken = reserved.contains(full) || scope.mentioned.contains(full)
            let name = isTaken ? scope.parent + full : full
            let isFree =
                isOfModule
                ? !module.contains(name)
                : !nested.contains(name) && !scope.mentioned.contains(name)
            if isFree, SwiftNamer.isIdentifier(name), name.first?.isUppercase == true {
                if isOfModule { module.insert(name) } else { nested.insert(name) }
                return name
            }
        }
        let fallback = base.flatMap { $0.first?.isUppercase == true ? $0 : nil } ?? "Value"
        let unique = (scope.parent + scope.prefix + fallback).unique {
            !module.contains($0) && !nested.contains($0) && !ReservedNames.types.contains($0)
        }
        if isOfModule { module.insert(unique) } else { nested.insert(unique) }
        type.setSwift("type", unique)
        return unique
    }

    // MARK: Methods

    private mutating func name(_ method: inout DraftMethod, in group: String) {
        let prefix = namer.upperCamel("\(group).\(method.name)") ?? ""
        nameParameters(&method)
        for section in method.sections.indices {
            for index in method.sections[section].fields.indices {
                let key = method.sections[section].fields[index].name
                nameTypes(in: &method.sections[section].fields[index].type, key: key, prefix)
            }
        }
        if var body = method.body {
            nameTypes(in: &body, key: "body", prefix)
            method.body = body
        }
        // Only replies by status have a type of this name.
        if method.returns.count == 1 { module.remove(prefix + "Reply") }
        for index in method.returns.indices {
            let status = method.returns[index].status.map { "status\($0)" } ?? ""
            let label =
                method.returns.count > 1
                ? namer.upperCamel(Self.phrases[status] ?? status) ?? "" : ""
            nameTypes(in: &method.returns[index].type, key: "reply", prefix + label)
        }
        var headers: Set<String> = []
        let scope = Scope(parent: prefix + "Headers")
        for index in method.replyHeaders.indices {
            let key = method.replyHeaders[index].name
            nameTypes(in: &method.replyHeaders[index].type, key: key, scope, &headers)
        }
    }

    private static let phrases = [
        "status200": "ok", "status201": "created", "status202": "accepted",
        "status203": "nonAuthoritative", "status206": "partialContent", "status207": "multiStatus",
        "status208": "alreadyReported",
    ]

    private mutating func nameTypes(in type: inout DraftType, key: String, _ prefix: String) {
        var nested: Set<String> = []
        nameTypes(in: &type, key: key, Scope(prefix: prefix), &nested)
    }

    private func nameParameters(_ method: inout DraftMethod) {
        var taken: [String: String] = [:]
        for section in method.sections.indices {
            for index in method.sections[section].fields.indices {
                let field = method.sections[section].fields[index]
                if case .constant = field.type.form { continue }
                let name = namer.lowerCamel(field.name).map {
                    ["self", "Self", "Type"].contains($0) ? $0 + "Value" : $0
                }
                // The same key in another place gets the place in front.
                if let name, taken[name] == nil || taken[name] == field.name {
                    let isSecond = taken[name] != nil
                    taken[name] = field.name
                    if isSecond, let placed = namer.lowerCamel("body_\(field.name)") {
                        taken[placed] = field.name
                    }
                    continue
                }
                let unique = (name ?? "value").unique { taken[$0] == nil }
                taken[unique] = field.name
                method.sections[section].fields[index].type.setSwift("name", unique)
            }
        }
    }
}

extension DraftType {
    mutating func setSwift(_ key: String, _ name: String) {
        let entry = DraftEntry(key, .text(name))
        if let index = attributes.firstIndex(where: { $0.key == "swift" }),
            case .map(let entries) = attributes[index].value
        {
            attributes[index].value = .map(entries + [entry])
        } else {
            attributes.append(DraftEntry("swift", .map([entry])))
        }
    }

    /// The Swift name that the type states.
    fileprivate var swiftName: String? {
        guard case .map(let entries)? = attributes["swift"],
            case .text(let name)? = entries["name"]
        else { return nil }
        return name
    }

    /// The models that the type refers to, also inside inline types.
    var mentions: [String] {
        switch form {
        case .named(let name):
            return name.contains("<")
                ? name.split { "<>[]{}:, ".contains($0) }.map(String.init) : [name]
        case .list(let element): return element.mentions
        case .map(let key, let value): return key.mentions + value.mentions
        case .object(let object):
            return object.mixins + object.fields.flatMap(\.type.mentions)
                + (object.additional?.mentions ?? [])
        case .union(let union): return union.alternatives.flatMap(\.type.mentions)
        case .enumeration, .constant: return []
        }
    }
}
