import SpecIR
import SpecImport
import SpecSemantics
import SpecSyntax

/// Writes a method as an operation.
struct OperationWriter {
    let source: ExportSource
    let group: ExportSource.Group
    let method: ExportSource.Method
    var schemas: SchemaWriter
    var parameters: SharedParameters
    /// The operation.
    private(set) var entries: [DraftEntry] = []
    /// The members of its `x-telex`.
    private(set) var extras = ExtraMembers()
    /// The keys of the method that standard words say.
    var said: Set<String> = ["doc", "link", "path", "query", "headers"]
    /// Members of `x-telex` that the method does not have as keys.
    var members: [DraftEntry] = []

    mutating func write(
        security: DraftValue?, servers: ServerWriter, errors: [DraftEntry],
        at place: PathTable.Place
    ) {
        let documentation = method.written.documentation
        entries = [
            DraftEntry("operationId", .text(method.name)),
            DraftEntry("tags", .list([.text(group.name)])),
        ]
        entries += documentation.entries
        if method.node.value(of: "deprecated")?.boolean != nil { said.insert("deprecated") }
        addPath(place)
        schemas.dates = dates
        let all = ownParameters() + sharedParameters()
        if !all.isEmpty { entries.append(DraftEntry("parameters", .list(all))) }
        if let body = body() { entries.append(DraftEntry("requestBody", .map(body))) }
        var replies = self.replies()
        for error in errors where !replies.contains(where: { $0.key == error.key }) {
            replies.append(error)
        }
        entries.append(DraftEntry("responses", .map(replies)))
        if let security { entries.append(DraftEntry("security", security)) }
        if let name = method.lowered.server, let server = servers.server(named: name) {
            entries.append(server)
        }
        let rest = method.node.entries.filter { !said.contains($0.key.text) }
        for entry in rest { extras.add(entry.key.text, at: entry.key.span) }
        members += rest.map { DraftEntry($0, keys: .marked) }
        if !members.isEmpty { entries.append(DraftEntry("x-telex", .map(members))) }
    }

    /// The path as it is written, if the place in the description does not tell it.
    private mutating func addPath(_ place: PathTable.Place) {
        guard let verb = method.written.verb?.value.rawValue else {
            return members.append(.flag("procedure"))
        }
        said.insert(verb)
        let path = method.written.path?.value ?? ""
        let known = place.path.dropFirst().prefix { $0 != "#" }
        let shared = method.expanded.sharedPath.replacing("{+", with: "{")
        if known != shared + path { members.append(DraftEntry(verb, .text(path))) }
        // In a folder, a key without its group may mean another name.
        if method.written.name.value != method.name, group.name.contains(".") {
            members.append(DraftEntry("name", .text(method.written.name.value)))
        }
    }

    /// The form of dates in parameters and replies.
    var dates: DateForm? { source.dates(method.written.settings, group.written.settings) }

    // MARK: Parameters

    private mutating func ownParameters() -> [DraftValue] {
        let sections: [Parameter.Location?: String] = [
            .path: "path", .query: "query", .header: "headers",
        ]
        let written = Set(method.written.parameters.map(\.identity))
        var all: [DraftValue] = []
        for parameter in method.expanded.parameters where written.contains(parameter.identity) {
            guard let section = sections[parameter.location] else { continue }
            let node = method.node.value(of: section)?.value(of: parameter.key.value)
            all.append(self.parameter(parameter, node, isWhole: isWholePath))
        }
        return all + impliedParameters()
    }

    /// Whether the path is one placeholder, which is an address if nothing describes it.
    private var isWholePath: Bool {
        method.lowered.path.wholeMatch(of: #/\{[^{}]*\}/#) != nil
    }

    /// The placeholders that nothing describes.
    private func impliedParameters() -> [DraftValue] {
        let known = Set(
            method.expanded.parameters.filter { $0.location == .path }.map {
                $0.sentKey.value
            })
        let names = method.lowered.path.matches(of: #/\{\+?([^{}]*)\}/#).map {
            String($0.output.1)
        }
        let type: [DraftEntry] =
            [.type("string")] + (method.lowered.isWholeAddress ? [.format("uri")] : [])
        return names.filter { !known.contains($0) }.map { name in
            .map([
                DraftEntry("name", .text(name)), DraftEntry("in", .text("path")),
                .flag("required"), DraftEntry("schema", .map(type)),
                DraftEntry("x-telex", .map([.flag("implied")])),
            ])
        }
    }

    /// References to the parameters of the shared path, the group and the API.
    private mutating func sharedParameters() -> [DraftValue] {
        let written = Set(method.written.parameters.map(\.identity))
        var taken = Set(method.expanded.parameters.map(\.identity))
        let ofPath = method.expanded.parameters.filter {
            $0.location == .path && !written.contains($0.identity)
        }
        let isAddress = method.lowered.isWholeAddress
        let outer =
            ofPath.map { ($0, group.name) } + group.expanded.parameters.map { ($0, group.name) }
            + source.api.parameters.filter { !isAddress || $0.location == .header }.map { ($0, "") }
        var all: [DraftValue] = []
        for (parameter, owner) in outer {
            guard
                ofPath.contains(where: { $0.identity == parameter.identity })
                    || taken.insert(parameter.identity).inserted
            else { continue }
            // They are described elsewhere (OpenAPI 3.1, section 4.8.12).
            let key = parameter.sentKey.value.lowercased()
            if parameter.location == .header, Self.ownHeaders.contains(key) { continue }
            var writer = self
            writer.schemas.isSilent = true
            all.append(
                parameters.reference(parameter, of: owner) {
                    writer.parameter(parameter, nil)
                })
        }
        return all
    }

    private static let ownHeaders: Set<String> = ["accept", "content-type", "authorization"]

    private mutating func parameter(
        _ parameter: ParameterSyntax, _ node: YAMLNode?, isWhole: Bool = false
    ) -> DraftValue {
        let attributes = parameter.type.attributes
        let isPath = parameter.location == .path
        let key = parameter.writtenKey
        var entries = [
            DraftEntry("name", .text(key)),
            DraftEntry("in", .text(parameter.location?.rawValue ?? "")),
        ]
        entries += attributes.documentation.entries
        if isPath || parameter.isRequired { entries.append(.flag("required")) }
        entries += Self.styles(parameter)
        var place = schemas.name(parameter, key)
        // Without its type, the only segment of a path would be an address.
        if isPath, isWhole, parameter.type.attributes.keys.isEmpty {
            place.append(DraftEntry("type", .text(TypeText.text(parameter.type))))
        }
        let schema = schemas.schema(
            parameter.type, node, place: place, hasNotes: false, besides: Self.said(parameter))
        if attributes.style?.value == .json {
            let content = DraftEntry("application/json", .map([DraftEntry("schema", schema)]))
            entries.append(DraftEntry("content", .map([content])))
        } else {
            entries.append(DraftEntry("schema", schema))
        }
        return .map(entries)
    }

    /// The separators that `style` names where `explode` is false.
    private static let separators = [" ": "spaceDelimited", "|": "pipeDelimited", ",": "form"]

    /// The attributes that the parameter says beside its schema.
    private static func said(_ parameter: ParameterSyntax) -> Set<String> {
        let attributes = parameter.type.attributes
        var said: Set<String> = []
        if attributes.style?.value == .json { said.insert("style") }
        guard parameter.location == .query else { return said }
        if attributes.style?.value == .deep { said.insert("style") }
        if let join = attributes.join, separators[join.value] != nil { said.insert("join") }
        return said
    }

    private static func styles(_ parameter: ParameterSyntax) -> [DraftEntry] {
        let attributes = parameter.type.attributes
        guard parameter.location == .query else { return [] }
        if let join = attributes.join?.value {
            let style = separators[join] ?? "form"
            return [
                DraftEntry("style", .text(style)), DraftEntry("explode", .word("false")),
            ]
        }
        guard attributes.style?.value == .deep else { return [] }
        return [DraftEntry("style", .text("deepObject")), .flag("explode")]
    }

    // MARK: Bodies

    private static let sections: [BodyKey: (Parameter.Location, String, String)] = [
        .json: (.json, "json", "application/json"),
        .form: (.form, "form", "application/x-www-form-urlencoded"),
        .multipart: (.part, "multipart", "multipart/form-data"),
    ]

    private mutating func body() -> [DraftEntry]? {
        if let body = method.expanded.body { return self.body(body) }
        guard let key = method.expanded.bodyKey?.value,
            let (location, section, mediaType) = Self.sections[key]
        else { return nil }
        let fields = method.expanded.parameters.filter { $0.location == location }
        let written = method.node.value(of: section)
        let isPlain =
            written != nil && !fields.isEmpty && method.expanded.wrapper == nil
            && fields.allSatisfy { $0.callValue == nil }
        if isPlain { said.insert(section) }
        schemas.isSilent = !isPlain
        let schema = bodySchema(fields, isPlain ? written : nil)
        schemas.isSilent = false
        var content = [DraftEntry("schema", schema)]
        let encodings = key == .json ? [] : fields.compactMap(Self.encoding)
        if !encodings.isEmpty { content.append(DraftEntry("encoding", .map(encodings))) }
        let type = method.expanded.contentType?.value ?? mediaType
        return [
            .flag("required"), DraftEntry("content", .map([DraftEntry(type, .map(content))])),
        ]
    }

    /// The object of a body, with what a wrapper holds inside it.
    private mutating func bodySchema(
        _ fields: [ParameterSyntax], _ written: YAMLNode?
    ) -> DraftValue {
        var (members, inner) = (ObjectMembers(), ObjectMembers())
        var places: [DraftValue] = []
        for field in fields {
            let key = field.writtenKey
            let schema = bodyMember(field, key: key, node: written?.value(of: field.key.value))
            let isRequired = field.isRequired
            if !field.isInWrapper {
                _ = members.add(schema, key: key, at: [], isRequired: isRequired)
            } else {
                places.append(schema)
                _ = inner.add(schema, key: key, at: [], isRequired: isRequired)
            }
        }
        if let wrapper = method.expanded.wrapper {
            let list = [DraftEntry.type("array"), DraftEntry("prefixItems", .list(places))]
            _ = members.add(
                .map(wrapper.isList ? list : inner.entries), key: wrapper.key.value, at: [],
                isRequired: true)
        }
        return .map(members.entries)
    }

    private mutating func bodyMember(
        _ field: ParameterSyntax, key: String, node: YAMLNode?
    ) -> DraftValue {
        if case .text(let text)? = field.callValue {
            return .map([.type("string"), DraftEntry("const", .text(text))])
        }
        return schemas.schema(field.type, node, place: schemas.name(field, key))
    }

    private static func encoding(_ field: ParameterSyntax) -> DraftEntry? {
        let attributes = field.type.attributes
        var entries: [DraftEntry] = []
        if attributes.join?.value == "," {
            entries = [DraftEntry("style", .text("form")), DraftEntry("explode", .word("false"))]
        } else if attributes.style?.value == .json {
            entries = [DraftEntry("contentType", .text("application/json"))]
        } else if attributes.style?.value == .deep {
            entries = [DraftEntry("style", .text("deepObject")), .flag("explode")]
        } else if let mime = attributes.rules.first(where: { $0.name.value == .mime }) {
            let node = mime.argument
            let types = node.kind == .sequence ? node.items.map(\.text) : [node.text]
            entries = [DraftEntry("contentType", .text(types.joined(separator: ", ")))]
        }
        return entries.isEmpty ? nil : DraftEntry(text: field.writtenKey, .map(entries))
    }

    /// A body that is one value.
    private mutating func body(_ type: TypeSyntax) -> [DraftEntry] {
        let key = method.node.value(of: "body") == nil ? "json" : "body"
        let isRequired: [DraftEntry] = type.optional == nil ? [.flag("required")] : []
        if ["bytes", "file"].contains(type.name) {
            let isPlain = type.name == "bytes" && type.attributes.keys.isEmpty
            let isUsual = method.expanded.contentType.map { !Self.isText($0.value) } ?? true
            if isPlain, isUsual { said.insert(key) }
            let media = method.expanded.contentType?.value ?? "application/octet-stream"
            return isRequired + [DraftEntry("content", .map([DraftEntry(media, .map([]))]))]
        }
        let text = method.expanded.textType
        let media = text ?? method.expanded.contentType?.value ?? "application/json"
        var isExact = text == nil && media.hasSuffix("json")
        // An import reads an object that is written out as the parameters of a call.
        if case .object = type.form { isExact = type.optional != nil || type.nullable != nil }
        if isExact { said.insert(key) }
        schemas.isSilent = !isExact
        let schema = schemas.schema(type, method.node.value(of: key))
        schemas.isSilent = false
        let content = DraftEntry(media, .map([DraftEntry("schema", schema)]))
        return isRequired + [DraftEntry("content", .map([content]))]
    }

    private static func isText(_ mediaType: String) -> Bool {
        mediaType.hasSuffix("json") || mediaType == "multipart/form-data"
            || mediaType == "application/x-www-form-urlencoded"
    }
}
