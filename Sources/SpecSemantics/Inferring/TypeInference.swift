import SpecIR
import SpecSyntax
import SpecTemplateRules

/// Derives the types of a spec from the shape of replies. The types accept and refuse the same
/// replies as a template of that shape does, and compile without a diagnostic.
public struct TypeInference {
    /// The types of a reply, as a spec has them.
    public struct Types: Sendable, Equatable {
        /// The type of the whole reply: the value of `returns`.
        public var reply: String
        /// The entries of `models`, indented by two spaces, each line ended.
        public var models: String
        /// The names of the models.
        public var names: Set<String>
    }

    private static let longestName = 40
    /// Type texts may have 50 brackets inside each other.
    private static let mostBrackets = 30
    /// An alias may have 100 lists inside each other.
    private static let mostLists = 90
    /// Names that YAML or its older tools read as something else.
    private static let words: Set<String> = [
        "null", "true", "false", "yes", "no", "on", "off", "y", "n",
    ]

    private let namer: SwiftNamer
    private let proposes: Bool
    private var taken: Set<String>
    private var models: [String] = []
    private var declared: Set<String> = []
    /// How many lists are directly inside each other here.
    private var lists = 0

    /// Derives the types of replies.
    ///
    /// - Parameters:
    ///   - shape: The shape of the replies.
    ///   - path: The steps to the part that is described.
    ///   - name: The name of the reply, from which types get theirs where no key has one.
    ///   - taken: Names that types cannot have.
    ///   - api: The file with spellings of words, if there is one.
    ///   - proposes: Whether comments propose what samples suggest and do not prove, such as formats.
    public static func types(
        of shape: TemplateShape, at path: [PathStep] = [], named name: String,
        taken: Set<String> = [], in api: APISyntax? = nil, proposes: Bool = false
    ) -> Types {
        var inference = TypeInference(
            namer: api.map { SwiftNamer($0) } ?? SwiftNamer(), proposes: proposes, taken: taken)
        let shape = path.reduce(shape) { $0.inner($1) ?? TemplateShape() }
        let reply = inference.type(of: shape, named: name + "_reply", in: "")
        return Types(
            reply: YAMLText.plain(reply + (shape.hasNull ? " | null" : "")),
            models: inference.models.joined(), names: inference.declared)
    }

    private init(namer: SwiftNamer, proposes: Bool, taken: Set<String>) {
        self.namer = namer
        self.proposes = proposes
        self.taken = taken.union(ReservedNames.types)
    }

    // MARK: Types

    /// The text of a type without null, and without the rules of a shape with one kind.
    private mutating func type(
        of shape: TemplateShape, named name: String, in owner: String
    ) -> String {
        let kinds = TemplateKinds.each.filter { shape.kinds.contains($0) }
        guard kinds.count != 1 else {
            return type(of: shape, as: kinds[0], named: name, in: owner)
        }
        return kinds.isEmpty ? "json" : union(of: shape, kinds, named: name, in: owner)
    }

    private mutating func type(
        of shape: TemplateShape, as kind: TemplateKinds, named name: String, in owner: String
    ) -> String {
        switch kind {
        case .object where shape.fields.isEmpty: "{string: json}"
        case .object: object(shape.fields, named: name, in: owner)
        case .array: list(of: shape.elements.first, named: name, in: owner)
        case .string: "string"
        case .integer: "int"
        case .number: "double"
        default: "bool"
        }
    }

    private mutating func list(
        of element: TemplateShape?, named name: String, in owner: String
    ) -> String {
        guard let element, lists < Self.mostLists else { return "[json]" }
        lists += 1
        defer { lists -= 1 }
        let type = type(of: element, named: singular(name), in: owner)
        let list = "[\(type)\(element.hasNull ? " | null" : "")]"
        guard list.prefix(Self.mostBrackets).allSatisfy({ $0 == "[" }),
            list.count > Self.mostBrackets
        else { return list }
        let alias = typeName(name, in: owner)
        models.append("  \(YAMLText.key(alias)): \(YAMLText.quoted(list))\n")
        return alias
    }

    private mutating func union(
        of shape: TemplateShape, _ kinds: [TemplateKinds], named name: String, in owner: String
    ) -> String {
        let union = typeName(name, in: owner)
        let place = models.count
        models.append("")
        var lines = "  \(YAMLText.key(union)):\n    closed: true\n    one-of:\n"
        for kind in kinds {
            let type = type(of: shape, as: kind, named: name + "_" + kind.word, in: owner)
            let rules = TypeRules(shape.writableRules, of: kind).texts
            lines += "      \(kind.word): \(YAMLText.type(type, rules))\n"
        }
        models[place] = lines
        return union
    }

    private mutating func object(
        _ fields: [TemplateShape.Field], named name: String, in owner: String
    ) -> String {
        let model = typeName(name, in: owner)
        let outer = lists
        lists = 0
        defer { lists = outer }
        let place = models.count
        models.append("")
        var names: Set<String> = []
        var lines = "  \(YAMLText.key(model)):\n    fields:\n"
        for field in fields { lines += self.field(field, in: model, &names) }
        models[place] = lines
        return model
    }

    // MARK: Fields

    private mutating func field(
        _ field: TemplateShape.Field, in model: String, _ names: inout Set<String>
    ) -> String {
        let entry = entry(field.key, &names)
        let key =
            entry.utf8.elementsEqual(field.key.utf8) ? [] : ["key: \(YAMLText.quoted(field.key))"]
        let proposals = proposes ? TypeProposal(field.shape).text : nil
        let comment = proposals.map { "      # perhaps \($0)\n" } ?? ""
        return comment + "      \(YAMLText.key(entry)): \(value(of: field, key, in: model))\n"
    }

    private mutating func value(
        of field: TemplateShape.Field, _ key: [String], in model: String
    ) -> String {
        let rules = field.shape.writableRules
        if let constant = rules.lazy.compactMap(\.constantValue).first {
            let isOptional = field.isOptional ? ["optional: true"] : []
            let type = constant.hasOwnType ? [] : ["type: json"]
            let parts = type + ["const: \(YAMLText.json(constant))"] + isOptional + key
            return "{ \(parts.joined(separator: ", ")) }"
        }
        let type =
            type(of: field.shape, named: field.key, in: model) + (field.isOptional ? "?" : "")
            + (field.shape.hasNull ? " | null" : "")
        let isUnion = TemplateKinds.each.filter { field.shape.kinds.contains($0) }.count > 1
        let texts = isUnion ? [] : TypeRules(rules, of: field.shape.kinds).texts
        return YAMLText.type(type, texts + key)
    }

    // MARK: Names

    /// The entry of a field: its key if that is a plain word, otherwise a Swift name.
    private func entry(_ key: String, _ names: inout Set<String>) -> String {
        let short = String(key.unicodeScalars.prefix(200).map(Character.init))
        let isPlain =
            key.utf8.count <= Self.longestName && key.utf8.first?.isLetter == true
            && key.utf8.allSatisfy(\.isNamePart)
        let swift = propertyName(short)
        if isPlain, let swift, names.insert(swift).inserted { return key }
        return (swift ?? "value").unique { names.insert($0).inserted }
    }

    private func propertyName(_ key: String) -> String? {
        guard let name = namer.lowerCamel(key).map({ String($0.prefix(Self.longestName)) }),
            SwiftNamer.isIdentifier(name), name.first?.isUppercase == false,
            namer.lowerCamel(name) == name
        else { return nil }
        return ReservedNames.fields.contains(name) ? name + "Value" : name
    }

    /// A name for a type of a key: the key's own, or that with the owner's name in front, or a
    /// number behind.
    private mutating func typeName(_ key: String, in owner: String) -> String {
        let short = String(key.unicodeScalars.prefix(200).map(Character.init))
        let camel = namer.upperCamel(short).map { String($0.prefix(Self.longestName)) }
        let isName = camel.map { SwiftNamer.isIdentifier($0) && $0.first?.isUppercase == true }
        let name = isName == true ? camel ?? "" : "Value"
        let full = String((owner + name).prefix(Self.longestName))
        let start = isFree(name) || owner.isEmpty || !isFree(full) ? name : full
        let unique = start.unique(where: isFree)
        taken.insert(unique)
        declared.insert(unique)
        return unique
    }

    private func isFree(_ name: String) -> Bool {
        !taken.contains(name) && !Self.words.contains(name.lowercased())
    }
}

extension TemplateShape {
    /// Whether the type needs `| null`. The type `json` has null among its values.
    fileprivate var hasNull: Bool { isNullable && !kinds.isEmpty }

    /// The rules, but those with a text such as `$token.user_id`, which specs refuse in a literal.
    fileprivate var writableRules: [TemplateRule] {
        rules.map(\.rule).filter { rule in
            switch rule {
            case .constant(let value): !value.mentionsCredential
            case .oneOf(let texts, _): !texts.contains { CredentialReference($0) != nil }
            default: true
            }
        }
    }
}

extension TemplateKinds {
    /// The kinds in the order of a union.
    static let each: [TemplateKinds] = [.object, .array, .string, .integer, .number, .bool]

    /// The name of the kind in a union.
    fileprivate var word: String {
        switch self {
        case .object: "object"
        case .array: "list"
        case .string: "string"
        case .integer: "int"
        case .number: "double"
        default: "bool"
        }
    }
}

extension TemplateRule {
    fileprivate var constantValue: TemplateNode? {
        if case .constant(let value) = self { value } else { nil }
    }
}

extension TemplateNode {
    fileprivate var mentionsCredential: Bool {
        switch value {
        case .string(let text): CredentialReference(text) != nil
        case .array(let items): items.contains(where: \.mentionsCredential)
        case .object(let members): members.contains(where: \.value.mentionsCredential)
        default: false
        }
    }

    /// Whether a constant is of the type that its text says; otherwise it is compared as JSON.
    fileprivate var hasOwnType: Bool {
        switch value {
        case .string, .bool: true
        case .number(let text): Int64(text) != nil
        default: false
        }
    }
}
