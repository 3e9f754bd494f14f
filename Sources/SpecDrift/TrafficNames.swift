import SpecIR
import SpecSemantics

/// The names of groups and methods.
struct TrafficNames {
    private let api: String
    private var names: Set<String> = []
    private static let verbs = [
        "GET": "get", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete",
    ]

    init(_ api: String) { self.api = api }

    /// The group of a method: the first literal part of its path.
    func group(of method: TrafficMethod) -> String {
        let word = Self.word(method.path.first { $0 != TrafficPaths.placeholder } ?? "")
        let isTaken =
            word.isEmpty || word == "api" || api.lowercased() == word + "api"
            || ReservedNames.managerProperties.contains { $0.lowercased() == word }
        return isTaken ? word + "calls" : word
    }

    /// The Swift types that a group declares.
    static func types(ofGroup name: String) -> [String] {
        GroupNames(property: name, stem: name.prefix(1).uppercased() + name.dropFirst()).types
    }

    /// The name of a method: the rest of its path, and what its verb does.
    mutating func method(_ method: TrafficMethod, in group: String) -> String {
        let literals = method.path.filter { $0 != TrafficPaths.placeholder }.dropFirst()
        let base = literals.map(Self.word).filter { !$0.isEmpty }.enumerated()
            .map { $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
        let isOne = method.path.last == TrafficPaths.placeholder
        var verb = Self.verbs[method.verb] ?? Self.word(method.verb)
        if verb == "get", !isOne, method.hasList { verb = "list" }
        let isBare = !base.isEmpty && !isOne && ["GET", "POST"].contains(method.verb)
        let candidates =
            (isBare ? [base] : [])
            + [base.isEmpty ? verb : base + verb.prefix(1).uppercased() + verb.dropFirst()]
        for name in candidates where names.insert("\(group).\(name)").inserted { return name }
        var number = 2
        while !names.insert("\(group).\(candidates[0])\(number)").inserted { number += 1 }
        return "\(candidates[0])\(number)"
    }

    /// The text in letters and digits, without digits at the beginning.
    private static func word(_ text: String) -> String {
        let plain = text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return String(plain.drop(while: \.isNumber).prefix(40))
    }
}
