import SpecSemantics

/// The names of methods: what they do, without the words of their group.
///
/// Each operation has several names, from a short to a long one. Those that would share one get
/// their next name, all of them, so that no name depends on the order of operations.
struct MethodNames {
    /// An operation with its group.
    struct Operation {
        let description: OperationDescription
        let group: String
        /// The words of the group, in singular.
        let noun: [String]

        init(_ description: OperationDescription, group: String, noun: String) {
            self.description = description
            self.group = group
            self.noun = ImportNames.words(noun).map(singular)
        }
    }

    /// A name for each operation.
    private(set) var names: [String] = []
    private let namer = SwiftNamer()
    private let schemas: SchemaReader
    /// Words with which the identifiers of nearly all operations begin.
    private let beginning: [String]

    init(_ operations: [Operation], _ schemas: SchemaReader) {
        self.schemas = schemas
        beginning = SharedBeginning.beginning(
            of: operations.compactMap { $0.description.id.map(ImportNames.words) })
        let candidates = operations.map { operation in
            let names = self.candidates(operation).compactMap(name)
            return names.isEmpty ? ["call"] : names
        }
        let distinct = DistinctNames(candidates, claims: operations.map(claim)) { index in
            let description = operations[index].description
            return "\(description.path) \(description.verb) \(description.id ?? "")"
        } identity: { [namer] index, name in
            namer.lowerCamel("\(operations[index].group).\(name)") ?? name
        }
        names = distinct.names
    }

    /// The names of an operation, each as words.
    private func candidates(_ operation: Operation) -> [[String]] {
        let description = operation.description
        let full = fullWords(description)
        let short = removing(operation.noun, from: full)
        let placeholders = ImportNames.words(description.segments.joined(separator: "_by_"))
        return [meaning(of: operation, short) ?? short, short, full, described(description)]
            + [[description.verb] + placeholders]
    }

    private func fullWords(_ operation: OperationDescription) -> [String] {
        let own = operation.id.flatMap(ImportNames.ascii).map {
            words(of: $0, operation.segments, operation.verb)
        }
        return own ?? described(operation)
    }

    /// The words of an identifier, without those of all others, and without the path and the verb
    /// that FastAPI puts at its end.
    private func words(of id: String, _ path: [Substring], _ verb: String) -> [String] {
        var words = ImportNames.words(id)
        if words.count > beginning.count, words.starts(with: beginning) {
            words.removeFirst(beginning.count)
        }
        let end = path.flatMap { ImportNames.words(String($0)) } + [verb]
        if end.count > 1, words.count > end.count, words.suffix(end.count).elementsEqual(end) {
            words.removeLast(end.count)
        }
        return words
    }

    /// The verb and the path of an operation without an identifier.
    private func described(_ operation: OperationDescription) -> [String] {
        var pieces = operation.pieces.map(String.init)
        let isOne = operation.segments.last?.contains("{") == true
        if isOne, let last = pieces.popLast() { pieces.append(singular(last)) }
        let isList = operation.verb == "get" && returnsList(operation, []) == true
        return [isList ? "list" : operation.verb] + pieces.flatMap(ImportNames.words)
    }

    /// The words without those of the group, which stand next to each other, in singular or plural.
    private func removing(_ noun: [String], from words: [String]) -> [String] {
        let all = words.map(singular)
        guard !noun.isEmpty, all.count > noun.count,
            let start = (0...(all.count - noun.count)).first(where: {
                all[$0..<$0 + noun.count].elementsEqual(noun)
            })
        else { return words }
        let rest = words[..<start] + words[(start + noun.count)...]
        // `PetsController_findAll`
        return rest.count > 1 && rest.first == "controller" ? Array(rest.dropFirst()) : Array(rest)
    }

    private func name(_ words: [String]) -> String? {
        let name = namer.lowerCamel(words.joined(separator: "_").prefix(100).description)
        return name.map { ["init", "self"].contains($0) ? $0 + "Value" : $0 }.flatMap {
            $0.first == "_" ? "call" + $0.dropFirst() : $0
        }
    }

    // MARK: Meaning

    /// The claim of an operation to be the group's `list` or `get`: the shorter its path, the
    /// better.
    private func claim(_ operation: Operation) -> Int {
        let short = removing(operation.noun, from: fullWords(operation.description))
        return meaning(of: operation, short) == nil
            ? 0 : 1000 - operation.description.segments.count
    }

    /// Words that say no more than that something is read.
    private static let reading: Set<String> = [
        "get", "list", "find", "read", "show", "retrieve", "fetch", "index", "view", "all", "one",
    ]
    private static let several: Set<String> = ["list", "index", "all"]

    /// `list` or `get`, for an operation whose name says no more than that it reads.
    private func meaning(of operation: Operation, _ words: [String]) -> [String]? {
        let description = operation.description
        guard description.verb == "get" else { return nil }
        let last = description.segments.last ?? ""
        let isOne = last.contains("{")
        var words = words
        for end in [["by", "id"], ["by"] + ImportNames.words(String(last))]
        where isOne && words.count > end.count && words.suffix(end.count).elementsEqual(end) {
            words.removeLast(end.count)
        }
        // A path with such a word is the API's own name of the call.
        guard !words.isEmpty, Self.reading.isSuperset(of: words),
            isOne || Self.reading.isDisjoint(with: ImportNames.words(String(last)))
        else { return nil }
        switch returnsList(description, operation.noun) {
        case true?: return ["list"]
        case false? where isOne || Self.several.isDisjoint(with: words): return ["get"]
        case nil where isOne: return ["get"]
        default: return Self.several.isDisjoint(with: words) ? nil : ["list"]
        }
    }

    /// Keys around a page.
    private static let outerKeys: Set<String> = [
        "data", "result", "response", "payload", "embedded",
    ]

    /// Whether a reply is a list or a page of one; nil if nothing is known about it.
    private func returnsList(_ operation: OperationDescription, _ noun: [String]) -> Bool? {
        let reply =
            operation.replies.first { $0.status.first == "2" }
            ?? operation.replies.first { $0.status == "default" }
        guard let schema = reply?.contents.first(where: { $0.mediaType.isJSON })?.schema else {
            return nil
        }
        let isOne = operation.segments.last?.contains("{") == true
        let nouns = [noun, operation.pieces.last.map { ImportNames.words(String($0)) } ?? []]
        return isList(schema, isOne: isOne, nouns.map { $0.map(singular) }, depth: 0)
    }

    private func isList(
        _ schema: SchemaDescription, isOne: Bool, _ nouns: [[String]], depth: Int
    ) -> Bool? {
        let facts = schemas.facts(schema)
        if facts.shapes == [.array] { return true }
        guard facts.shapes == [.object], let object = facts.object, depth < 4 else {
            return facts.shapes.contains(.array) || facts.shapes.contains(.any) ? nil : false
        }
        let lists = object.properties.filter { schemas.facts($0.schema).shapes == [.array] }
        let others = object.properties.map(\.name).filter { $0 != lists.first?.name }
        if lists.count == 1, !isOne || others.isEmpty {
            let words = ImportNames.words(lists[0].name)
            let isPage = others.allSatisfy(PageWords.areAround)
            if others.isEmpty || isPage && PageWords.items.contains(words.joined())
                || nouns.contains(words.map(singular))
            {
                return true
            }
        }
        let outer = object.properties.filter {
            object.properties.count == 1
                || Self.outerKeys.contains(ImportNames.words($0.name).joined())
        }
        return outer.contains {
            isList($0.schema, isOne: isOne, nouns, depth: depth + 1) == true
        }
    }
}

/// The words of the keys of a page.
enum PageWords {
    /// Keys of the list.
    static let items: Set<String> = [
        "items", "data", "results", "result", "records", "values", "value", "entries", "content",
        "list", "rows", "objects", "elements", "resources", "collection", "hits", "nodes",
    ]

    private static let around: Set<String> = [
        "page", "pages", "total", "count", "cursor", "next", "previous", "prev", "limit", "offset",
        "more", "pagination", "paging", "meta", "metadata", "links", "size", "per", "object",
        "kind", "status", "success", "ok", "message", "code", "first", "last", "self", "etag",
        "token", "start", "end", "errors", "error", "warnings",
    ]

    /// Whether a key belongs to what surrounds the list.
    static func areAround(_ key: String) -> Bool {
        !around.isDisjoint(with: ImportNames.words(key))
    }
}
