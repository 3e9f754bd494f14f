import SpecSemantics

/// The names of models for the schemas of a description, without what is the same in all of them.
///
/// They depend on the schemas alone, and not on the operations, so that a new operation changes
/// none.
struct ModelNames {
    /// The names that the schemas ask for, by reference.
    private var wanted: [String: String] = [:]
    /// The references, in an order that is always the same.
    private(set) var references: [Reference] = []

    init(_ schemas: [Reference], groups: Set<String>) {
        let names = Set(schemas.map(\.name))
        let nouns = Set(groups.flatMap(ImportNames.words).map(singular))
        let short =
            Self.withoutNamespaces(names)
            ?? SharedBeginning.removed(from: names, keeping: nouns)
        for schema in schemas { wanted[schema.key] = short[schema.name] }
        let namer = SwiftNamer()
        // A schema that is called like its model comes before others that become the same name.
        references = schemas.sorted {
            let isExact = namer.typeName($0.name) == $0.name
            let isOtherExact = namer.typeName($1.name) == $1.name
            return isExact == isOtherExact ? $0.key < $1.key : isExact
        }
    }

    /// The name that the schema of a reference asks for.
    func name(of reference: Reference) -> String {
        if let name = wanted[reference.key] { return name }
        // Inside another schema or an operation, the last step alone says little.
        let pointer = reference.key.split(separator: "#").last ?? ""
        let steps = pointer.split(separator: "/").flatMap { step in
            step.replacing("~1", with: "/").split(separator: "/").map(String.init)
        }
        let words = steps.filter { !$0.contains("{") && !Self.noise.contains($0) }
        return reference.key.contains("#/") && steps.count > 1 && !words.isEmpty
            ? words.joined(separator: "_") : reference.name
    }

    /// Steps of pointers that say where something stands, and not what it is.
    private static let noise: Set<String> = [
        "paths", "components", "schemas", "definitions", "responses", "requestBodies", "parameters",
        "headers", "content", "application", "json", "schema", "properties", "items", "200", "201",
        "default", "allOf", "oneOf", "anyOf", "0",
    ]

    // MARK: Namespaces

    /// The shortest ends of names with dots that no other name has; nil where names have no dots.
    private static func withoutNamespaces(_ names: Set<String>) -> [String: String]? {
        let dotted = names.filter { $0.dropFirst().dropLast().contains(".") }
        guard dotted.count > 1, dotted.count * 2 > names.count else { return nil }
        let all = names.map { name in
            (name: name, parts: name.split(separator: ".").map(String.init))
        }
        let isDigit = { (sign: Character) in ("0"..."9").contains(sign) }
        var counts: [[String]: Int] = [:]
        for (_, parts) in all {
            for count in 1...max(1, parts.count) {
                counts[key(parts.suffix(count)), default: 0] += 1
            }
        }
        var result: [String: String] = [:]
        for (name, parts) in all {
            let shortest = (1...max(1, parts.count)).first { count in
                let end = parts.suffix(count)
                let isVersion = end.first?.withoutVersionSign.first.map(isDigit) == true
                return counts[key(end)] == 1 && !isVersion
            }
            result[name] = parts.suffix(shortest ?? parts.count).joined(separator: ".")
        }
        return result
    }

    private static func key(_ parts: ArraySlice<String>) -> [String] {
        parts.map { $0.lowercased() }
    }
}
