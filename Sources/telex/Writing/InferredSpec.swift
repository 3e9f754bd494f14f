import Foundation
import SpecSemantics
import SpecTemplateRules
import TelexCompiler

/// The files of `telex new --from`: a method for each reply, and the types of the replies.
struct InferredSpec {
    /// Names and texts of the files.
    let files: [(name: String, text: String)]

    private struct Method {
        let group: String
        let name: String
        let node: TemplateNode
    }

    init(api: String, of replies: [(path: String, node: TemplateNode)], proposes: Bool) {
        let head = """
            telex: 1                      # the version of this language
            api: \(api)
            servers: { production: https://api.example.com/ }    # the address of your server

            """
        let methods = Self.methods(replies, api)
        let groups = Self.unique(methods.map(\.group))
        let empty = groups.map { group in
            let own = methods.filter { $0.group == group }
            return (group, own.map { Self.entry($0, returns: "nothing") }.joined())
        }
        var taken = Self.typeNames(
            [("api.yaml", head)] + empty.map { Self.file(group: $0.0, entries: $0.1, models: "") })
        var files = [("api.yaml", head)]
        for group in groups {
            var entries = ""
            var models = ""
            for method in methods where method.group == group {
                let types = TypeInference.types(
                    of: TemplateReading(replies: [method.node]).shape,
                    named: "\(group).\(method.name)", taken: taken, proposes: proposes)
                taken.formUnion(types.names)
                entries += Self.entry(method, returns: types.reply)
                models += types.models
            }
            files.append(Self.file(group: group, entries: entries, models: models))
        }
        self.files = files
    }

    private static func entry(_ method: Method, returns: String) -> String {
        "  \(method.group).\(method.name):\n    get: \(method.group)/\(method.name)\n"
            + "    returns: \(returns)\n"
    }

    private static func file(
        group: String, entries: String, models: String
    ) -> (name: String, text: String) {
        let types = models.isEmpty ? "" : "\nmodels:\n" + models
        return ("\(group).yaml", "methods:\n" + entries + types)
    }

    private static func typeNames(_ files: [(name: String, text: String)]) -> Set<String> {
        let folder = SpecFolder(
            shownPath: "",
            files: files.map {
                SpecFolder.File(
                    relativePath: $0.name, shownPath: $0.name, bytes: Array($0.text.utf8))
            })
        return TelexCompiler.compile(folder).typeNames
    }

    // MARK: Names

    /// The method of `users.list.json` is `list` of the group `users`, that of `users.json` is `get`.
    private static func methods(
        _ replies: [(path: String, node: TemplateNode)], _ api: String
    ) -> [Method] {
        var names: Set<String> = []
        return replies.map { path, node in
            let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            let parts = file.split(separator: ".", maxSplits: 1).map { word(String($0)) }
            let group = groupName(parts.first ?? "", api)
            let stem = parts.count > 1 && !parts[1].isEmpty ? parts[1] : "get"
            var name = stem
            var number = 2
            while !names.insert("\(group).\(name)").inserted {
                name = "\(stem)\(number)"
                number += 1
            }
            return Method(group: group, name: name, node: node)
        }
    }

    /// The text in small letters and digits, without digits at the beginning.
    private static func word(_ text: String) -> String {
        let plain = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return String(plain.drop(while: \.isNumber).prefix(40))
    }

    /// A name that a group may have. The group `users` declares `UsersAPI`.
    private static func groupName(_ word: String, _ api: String) -> String {
        if word.isEmpty { return "replies" }
        let isTaken =
            word == "api" || api.lowercased() == word + "api"
            || ReservedNames.managerProperties.contains { $0.lowercased() == word.lowercased() }
        return isTaken ? word + "replies" : word
    }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
