import SpecImport
import SpecSemantics
import TelexJSON

/// Texts of named values, of which types are made.
struct TrafficTexts {
    private var texts:
        [String: (isInteger: Bool, isNumber: Bool, isBool: Bool, isList: Bool, calls: Int)] =
            [:]
    private var order: [String] = []

    mutating func add(_ pairs: [(name: String, text: String)]) {
        for (name, items) in Dictionary(grouping: pairs, by: \.name) {
            if texts[name] == nil { order.append(name) }
            var known = texts[name] ?? (true, true, true, false, 0)
            for (_, text) in items {
                known.isInteger = known.isInteger && Int(text).map(String.init) == text
                known.isNumber = known.isNumber && JSONValue(json: text)?.asDouble != nil
                known.isBool = known.isBool && ["true", "false"].contains(text)
            }
            known.isList = known.isList || items.count > 1
            known.calls += 1
            texts[name] = known
        }
    }

    /// The type of a value; nil if it was never there.
    func type(of name: String) -> String? {
        guard let known = texts[name] else { return nil }
        let type =
            known.isInteger ? "int" : known.isNumber ? "double" : known.isBool ? "bool" : "string"
        return known.isList ? "[\(type)]" : type
    }

    /// The values as parameters; nil if there are none.
    func entries(of calls: Int, hasFiles: Bool = false) -> DraftValue? {
        var used: Set<String> = []
        let entries = order.sorted().filter { !$0.isEmpty }.map { name in
            let isOptional = (texts[name]?.calls ?? 0) < calls
            var type = type(of: name) ?? "string"
            if hasFiles, texts[name]?.isInteger == false, type == "string" { type = "file" }
            let isList = type.hasPrefix("[")
            if isOptional, !isList { type += "?" }
            var attributes = isOptional && isList ? [DraftEntry("optional", .word("true"))] : []
            // A name that Swift cannot have gets another one.
            var key = name
            let swift = SwiftNamer().lowerCamel(name)
            let isName = swift.map { SwiftNamer.isIdentifier($0) && used.insert($0).inserted }
            if isName != true {
                key = "value"
                while !used.insert(key).inserted { key += "2" }
                attributes.append(DraftEntry("key", .text(name)))
            }
            let long = DraftValue.map([DraftEntry("type", .type(type))] + attributes)
            var entry = DraftEntry(key, attributes.isEmpty ? .type(type) : long)
            entry.isQuoted = true
            return entry
        }
        return entries.isEmpty ? nil : .map(entries)
    }
}
