import SpecSemantics

/// The names of groups and methods: short, told apart, and independent of the order of operations.
struct ImportNames {
    /// An operation's place in the spec.
    struct Place: Hashable {
        var group: String
        var method: String
    }

    /// Names that every manager has for itself, in small letters.
    private static let reserved = Set(
        ReservedNames.managerProperties.map { $0.lowercased() } + ["api"])

    /// The place of each operation, in their order.
    let places: [Place]
    /// The group of models that several groups use.
    let shared: String

    init(_ operations: [OperationDescription], _ schemas: SchemaReader) {
        let sources = operations.map(Self.groupSource)
        let groups = Self.groups(sources)
        shared = groups.values.contains("models") ? "shared" : "models"
        let short = SharedBeginning.removed(from: Set(sources))
        // A stream beside JSON is named after the method of the JSON.
        let own = zip(operations, sources).filter { $0.0.form != .stream }
        let methods = own.map { operation, source in
            MethodNames.Operation(
                operation, group: groups[source] ?? "group", noun: short[source] ?? source)
        }
        let names = MethodNames(methods, schemas).names
        places = Place.all(
            of: operations,
            besides: zip(own, names).map { Place(group: groups[$0.1] ?? "group", method: $1) })
    }

    /// The name of the group for each tag or first piece of a path. Those that differ in their case
    /// or signs alone are one group.
    private static func groups(_ sources: [String]) -> [String: String] {
        let namer = SwiftNamer()
        var names: [String: String] = [:]
        for (source, short) in SharedBeginning.removed(from: Set(sources)) {
            let base = ascii(short).flatMap(namer.lowerCamel).map { String($0.prefix(60)) }
            names[source] =
                base.map { $0.first == "_" ? "group" + $0.dropFirst() : $0 } ?? "group"
        }
        var chosen: [String: String] = [:]
        var taken: Set<String> = []
        for name in Set(names.values).sorted() where chosen[name.lowercased()] == nil {
            var unique = reserved.contains(name.lowercased()) ? name + "Group" : name
            var number = 2
            while !taken.insert(unique.lowercased()).inserted {
                unique = "\(name)\(number)"
                number += 1
            }
            chosen[name.lowercased()] = unique
        }
        return names.mapValues { chosen[$0.lowercased()] ?? $0 }
    }

    /// The tag of an operation, or the first piece of its path that says something.
    private static func groupSource(_ operation: OperationDescription) -> String {
        if let tag = operation.tags.first, ascii(tag) != nil { return tag }
        return operation.pieces.first.map { String($0) } ?? "root"
    }

    /// The name of an error code; nil without a letter.
    static func errorCase(_ text: String) -> String? {
        ascii(text).flatMap(SwiftNamer().lowerCamel).flatMap { $0.first == "_" ? nil : $0 }
    }

    /// The words of a name, in small letters.
    static func words(_ text: String) -> [String] {
        SwiftNamer.words(ascii(text) ?? "").map { $0.lowercased() }
    }

    /// The ASCII part of a text; nil if it has no letter.
    static func ascii(_ text: String) -> String? {
        let isPlain = text.utf8.count <= 200 && text.utf8.allSatisfy { $0 < 0x80 }
        if isPlain { return text.contains(where: \.isLetter) ? text : nil }
        let part = String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(200).filter { $0.isASCII }))
        return part.contains(where: \.isLetter) ? part : nil
    }

    /// The Swift name of an API with this title: without words such as "HTTP API".
    static func api(_ title: String) -> String {
        let noise: Set<String> = [
            "api", "http", "rest", "web", "preview", "swagger", "openapi", "public",
            "documentation", "v1", "v2", "v3",
        ]
        let plain = (ascii(title) ?? "").replacing(#/\(.*?\)/#, with: "")
        var pieces = plain.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        while pieces.count > 1, let last = pieces.last, noise.contains(last.lowercased()) {
            pieces.removeLast()
        }
        let name =
            SwiftNamer().typeName(
                pieces.prefix(4).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()) ?? ""
        let isFine =
            SwiftNamer.isIdentifier(name) && name.first?.isUppercase == true
            && !ReservedNames.types.contains(name) && name.count < 60
        return isFine ? name : "MyAPI"
    }
}

extension OperationDescription {
    /// The pieces of the path, placeholders included.
    var segments: [Substring] {
        path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    /// The pieces of the path that are no placeholders, without versions at the beginning.
    var pieces: [Substring] {
        let all = segments.filter { !$0.contains("{") }
        let named = all.drop {
            ["api", "rest"].contains($0)
                || !$0.withoutVersionSign.isEmpty
                    && $0.withoutVersionSign.allSatisfy { $0 == "." || ("0"..."9").contains($0) }
        }
        return Array(named.isEmpty ? all[...] : named)
    }
}
