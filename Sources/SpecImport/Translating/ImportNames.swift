import SpecSemantics

/// The names of groups and methods: short, and told apart.
struct ImportNames {
    /// An operation's place in the spec.
    struct Place: Hashable {
        var group: String
        var method: String
    }

    private let namer = SwiftNamer()
    private var groups: [String: String] = [:]
    private var takenGroups: Set<String> = ["api", "credentials", "parameters"]
    private var cases: Set<String> = []

    /// The name of a group, for a tag or the first piece of a path.
    mutating func group(_ text: String) -> String {
        let base = Self.ascii(text).flatMap(namer.lowerCamel).map { String($0.prefix(60)) }
        var name = base.map { $0.first == "_" ? "group" + $0.dropFirst() : $0 } ?? "group"
        let stem = name
        if let known = groups[stem.lowercased()] { return known }
        var number = 2
        while !takenGroups.insert(name.lowercased()).inserted {
            name =
                ["api", "credentials", "parameters"].contains(stem) && number == 2
                ? stem + "Group" : "\(stem)\(number)"
            number += 1
        }
        groups[stem.lowercased()] = name
        return name
    }

    /// The tag of an operation, or the first piece of its path that says something.
    static func groupSource(_ operation: OperationDescription) -> String {
        if let tag = operation.tags.first, ascii(tag) != nil { return tag }
        let pieces = self.pieces(operation)
        let named = pieces.first {
            !["api", "rest"].contains($0) && $0.wholeMatch(of: #/v?[0-9.]+/#) == nil
        }
        return String(named ?? pieces.first ?? "root")
    }

    /// The name of a method: its identifier without the words of the group.
    mutating func method(_ operation: OperationDescription, in group: String) -> String {
        let source = operation.id ?? Self.described(operation)
        let words = Self.words(source)
        let short = Self.removing(Self.words(Self.groupSource(operation)), from: words)
        let full = Self.ascii(source) == nil ? Self.words(Self.described(operation)) : words
        for candidate in [short, full] {
            guard let name = name(candidate), cases.insert(caseName(group, name)).inserted else {
                continue
            }
            return name
        }
        let base = name(full) ?? "call"
        var number = 2
        while !cases.insert(caseName(group, "\(base)\(number)")).inserted { number += 1 }
        return "\(base)\(number)"
    }

    /// The name of an error code; nil without a letter.
    static func errorCase(_ text: String) -> String? {
        ascii(text).flatMap(SwiftNamer().lowerCamel).flatMap { $0.first == "_" ? nil : $0 }
    }

    private func name(_ words: [String]) -> String? {
        let name = namer.lowerCamel(words.joined(separator: "_").prefix(100).description)
        return name.map { ["init", "self"].contains($0) ? $0 + "Value" : $0 }.flatMap {
            $0.first == "_" ? "call" + $0.dropFirst() : $0
        }
    }

    private func caseName(_ group: String, _ method: String) -> String {
        namer.lowerCamel("\(group).\(method)") ?? method
    }

    /// The verb and the path of an operation without an identifier.
    private static func described(_ operation: OperationDescription) -> String {
        return ([Substring(operation.verb)] + pieces(operation)).joined(separator: "_")
    }

    /// The pieces of the path that are no placeholders.
    private static func pieces(_ operation: OperationDescription) -> [Substring] {
        operation.path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").filter {
            !$0.contains("{")
        }
    }

    private static func words(_ text: String) -> [String] {
        SwiftNamer.words(ascii(text) ?? "").map { $0.lowercased() }
    }

    /// The words without those of the group, which stand next to each other, in singular or plural.
    private static func removing(_ group: [String], from words: [String]) -> [String] {
        let (own, all) = (group.map(singular), words.map(singular))
        guard !own.isEmpty, all.count > own.count else { return words }
        for start in 0...(all.count - own.count) where Array(all[start..<start + own.count]) == own
        {
            return Array(words[..<start] + words[(start + own.count)...])
        }
        return words
    }

    /// The ASCII part of a text; nil if it has no letter.
    private static func ascii(_ text: String) -> String? {
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
