import SpecDiagnostics
import SpecIR
import SpecImport
import SpecSemantics
import SpecSyntax

/// A spec without errors, as it is written and as it is sent.
struct ExportSource {
    /// A group.
    struct Group {
        let written: GroupSyntax
        let expanded: GroupSyntax
        let node: YAMLNode
        let methods: [Method]
        var name: String { written.name }
    }

    /// A method.
    struct Method {
        /// Its whole name.
        let name: String
        let written: MethodSyntax
        let expanded: MethodSyntax
        let node: YAMLNode
        let lowered: SpecIR.Method
    }

    let api: APISyntax
    let node: YAMLNode
    let lowered: API
    let groups: [Group]
    /// The files of templates: their paths, with their texts.
    let templates: [(path: String, text: String)]
    /// The keys under `components/schemas`, by the names of types.
    let components: [String: String]

    /// - Parameters:
    ///   - spec: The parsed spec.
    ///   - lowered: Its IR.
    ///   - sources: Where its files are.
    init?(_ spec: Spec, lowered: API, sources: SourceMap) {
        let expanded = SpecAnalyzer.expanded(spec)
        guard let api = expanded.api, let node = Self.root(api.span, sources) else { return nil }
        self.api = api
        self.node = node
        self.lowered = lowered
        let methods = Dictionary(
            lowered.groups.flatMap(\.methods).map { ($0.apiName, $0) },
            uniquingKeysWith: { first, _ in first })
        groups = zip(spec.groups, expanded.groups).compactMap { written, expanded in
            guard let node = Self.root(written.span, sources) else { return nil }
            let all = zip(written.methods, expanded.methods).compactMap { own, whole -> Method? in
                let name = MethodSyntax.fullName(own.name.value, in: written.name)
                guard let node = node.value(of: "methods")?.value(of: own.name.value),
                    let lowered = methods[name]
                else { return nil }
                return Method(
                    name: name, written: own, expanded: whole, node: node, lowered: lowered)
            }
            return Group(written: written, expanded: expanded, node: node, methods: all)
        }
        templates = spec.templates.map { template in
            let text = String(decoding: template.source.bytes, as: UTF8.self)
            return ("templates/\(template.name)", text)
        }
        let names =
            spec.groups.flatMap(\.models).filter(\.parameters.isEmpty).map(\.name.value)
            + expanded.groups.flatMap(\.models).map(\.name.value)
        var components = Self.keys(of: names)
        // The use of a generic model that an alias names is that alias.
        for model in spec.groups.flatMap(\.models) where !model.type.arguments.isEmpty {
            let use = TypeText.head(model.type)
            if components[use] == nil { components[use] = components[model.name.value] }
        }
        self.components = components
    }

    /// The form of dates by the first of some settings that has one, or by the API; nil for a form
    /// without a word.
    func dates(_ settings: SettingsSyntax...) -> DateForm? {
        let written = settings.lazy.compactMap(\.dates).first ?? api.settings.dates
        return written.map { DateForm(word: $0.value) } ?? .dateTime
    }

    private static func root(_ span: Span, _ sources: SourceMap) -> YAMLNode? {
        var bag = DiagnosticBag()
        return YAMLReader.read(sources[span.file], into: &bag)
    }

    /// The keys of components: letters, digits, `.`, `-` and `_` (OpenAPI 3.1, section 4.8.7).
    static func keys(of names: [String]) -> [String: String] {
        var keys: [String: String] = [:]
        var taken = Set(names.filter { isKey($0) })
        for name in names where keys[name] == nil {
            let key = isKey(name) ? name : key(name, among: taken)
            taken.insert(key)
            keys[name] = key
        }
        return keys
    }

    /// A key with the words of a name.
    static func key(_ name: String, among taken: Set<String>) -> String {
        let words = name.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        let stem = words.isEmpty ? "unnamed" : String(words.joined(separator: "_").prefix(80))
        return stem.unique(separator: "_") { !taken.contains($0) }
    }

    static func isKey(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0.isNamePart || "-.".utf8.contains($0) }
    }
}
