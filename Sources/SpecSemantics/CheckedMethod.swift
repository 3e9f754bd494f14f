import SpecDiagnostics
import SpecIR
import SpecSyntax

/// A method that could be lowered, with its declaration and its settings.
struct CheckedMethod {
    let syntax: MethodSyntax
    let cascade: SettingsCascade
    let lowered: Method
}

extension MethodSyntax {
    /// Returns the API name of a method: its key, prefixed with the group unless the key is
    /// qualified.
    static func fullName(_ key: String, in group: String) -> String {
        let isQualified = key.contains { $0 == "." || $0 == "/" || $0 == ":" }
        return isQualified ? key : "\(group).\(key)"
    }
}

extension GroupSyntax {
    /// The name of the group: the path of its file without the ending, with `.`.
    var name: String {
        let ending = [".yaml", ".yml"].first { path.hasSuffix($0) } ?? ""
        let stem = path.dropLast(ending.count)
        return stem.split(separator: "/").joined(separator: ".")
    }
}
