import SpecImport
import SpecSemantics
import SpecSyntax
import SpecTemplateRules

/// The models of one group. Replies that have mostly the same keys are of one model.
struct TrafficModels {
    private let group: String
    private(set) var taken: Set<String>
    private(set) var entries: [DraftEntry] = []
    private var clusters: [Cluster] = []
    private var isOwnUsed = false
    /// The keys of texts that logs must not show.
    var secrets: Set<String> = []

    fileprivate struct Cluster {
        var keys: Set<String>
        var nodes: [TemplateNode]
        var name: String
        var type: String?
    }

    /// The name of the thing that the group is about.
    private let own: String

    /// - Parameter things: The names of the things that all groups are about.
    init(_ group: String, _ taken: Set<String>, things: Set<String>) {
        self.group = group
        let own = Self.thing(group)
        self.own = things.contains(own) ? own : ""
        self.taken = taken.union(things)
    }

    /// The name of the thing that a group is about: `User` of `users`.
    static func thing(_ group: String) -> String { SwiftNamer().upperCamel(singular(group)) ?? "" }

    /// Looks at the replies of a method, before the first type is asked for.
    mutating func learn(_ replies: [TemplateNode], of method: String) {
        let nodes = replies.flatMap(\.elements)
        let keys = Set(nodes.flatMap(\.keys))
        guard !keys.isEmpty else { return }
        let isEntity = ["get", "list", "create", "update", "replace"].contains(method)
        if let index = clusters.firstIndex(where: { $0.isLike(keys) }) {
            clusters[index].keys.formUnion(keys)
            clusters[index].nodes += nodes
            if isEntity { clusters[index].name = singular(group) }
        } else {
            let isPage = method == "list" && replies.contains(where: \.isEnvelope)
            let name = isEntity && !isPage ? singular(group) : ""
            clusters.append(
                Cluster(keys: keys, nodes: nodes, name: name.isEmpty ? "\(group)_\(method)" : name))
        }
    }

    /// The type of replies, or of bodies.
    mutating func type(of values: [TemplateNode], named name: String) -> String {
        let isList = values.allSatisfy(\.isList)
        let nodes = isList ? values.flatMap(\.elements) : values
        let keys = Set(nodes.flatMap(\.keys))
        if !keys.isEmpty, nodes.allSatisfy(\.isObject),
            let index = clusters.firstIndex(where: { $0.isLike(keys) })
        {
            let type =
                clusters[index].type
                ?? declare(clusters[index].nodes, named: clusters[index].name)
            clusters[index].type = type
            return isList ? "[\(type)]" : type
        }
        return declare(values, named: "\(group)_\(name)")
    }

    /// The fields of bodies that are objects; nil for others.
    mutating func fields(of bodies: [TemplateNode], named name: String) -> [DraftEntry]? {
        guard bodies.allSatisfy(\.isObject) else { return nil }
        let (type, models) = infer(bodies, named: "\(group)_\(name)")
        guard case .map(let parts)? = models[type], case .map(let fields)? = parts["fields"] else {
            return nil
        }
        entries += models.filter { $0.key != type }.map { $0.short(hiding: secrets) }
        return fields
    }

    private mutating func declare(_ nodes: [TemplateNode], named name: String) -> String {
        var (type, models) = infer(nodes, named: name)
        // The model of the reply itself is called like the thing, if nothing else is.
        let better = SwiftNamer().upperCamel(name) ?? ""
        let isFree = !taken.contains(better) || better == own && !isOwnUsed
        if better == own { isOwnUsed = true }
        if SwiftNamer.isIdentifier(better), isFree,
            !ReservedNames.types.contains(better),
            let index = models.firstIndex(where: { $0.key == type })
        {
            models[index].key = better
            taken.insert(better)
            type = better
        }
        entries += models.map { $0.short(hiding: secrets) }
        return type
    }

    private mutating func infer(
        _ nodes: [TemplateNode], named name: String
    ) -> (type: String, models: [DraftEntry]) {
        let types = TypeInference.types(
            of: TemplateReading(replies: nodes).shape, named: name, taken: taken)
        taken.formUnion(types.names)
        guard case .map(let models)? = SpecFileEditor.entries("models:\n" + types.models)["models"]
        else { return (SpecFileEditor.word(types.reply), []) }
        return (SpecFileEditor.word(types.reply), models)
    }
}

extension TrafficModels.Cluster {
    /// Whether most keys are the same.
    fileprivate func isLike(_ other: Set<String>) -> Bool {
        let common = keys.intersection(other).count
        return common * 10 >= keys.union(other).count * 6
    }
}

extension TemplateNode {
    fileprivate var isList: Bool { if case .array = value { true } else { false } }
    fileprivate var isObject: Bool { if case .object = value { true } else { false } }

    /// The value itself, or the elements of a list.
    fileprivate var elements: [TemplateNode] {
        if case .array(let items) = value { items } else { [self] }
    }

    /// The keys of an object.
    fileprivate var keys: [String] {
        if case .object(let members) = value { members.map(\.key) } else { [] }
    }

    /// Whether it is an object around a list, such as a page.
    fileprivate var isEnvelope: Bool {
        guard case .object(let members) = value else { return false }
        return members.count <= 5 && members.contains { $0.value.isList }
    }
}

extension DraftEntry {
    /// An object without `fields`, where that means the same, and with secret texts marked.
    fileprivate func short(hiding secrets: Set<String>) -> DraftEntry {
        guard case .map(var parts) = value,
            let index = parts.firstIndex(where: { $0.key == "fields" }),
            case .map(let declared) = parts[index].value
        else { return self }
        let fields = declared.map { $0.hidden(secrets) }
        parts[index].value = .map(fields)
        let isShort = fields.allSatisfy { field in
            !TypeNames.isAttribute(field.key) && field.key.utf8.allSatisfy(\.isNamePart)
                && field.key.first?.isLetter == true
        }
        return DraftEntry(key, .map(isShort && parts.count == 1 ? fields : parts))
    }

    private func hidden(_ secrets: Set<String>) -> DraftEntry {
        guard secrets.contains(key), case .text(let type) = value, type.hasPrefix("string") else {
            return self
        }
        let long = [DraftEntry("type", .type(type)), DraftEntry("sensitive", .word("true"))]
        return DraftEntry(key, .map(long))
    }
}
