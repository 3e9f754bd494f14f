/// Where the Swift files of an app use what a spec declares. Names are compared, not types: a use may be
/// that of another declaration of the same name, and what the compiler infers is not seen.
public struct SourceUses: Sendable {
    private var byName: [String: [(file: String, use: SwiftNames.Use)]] = [:]

    /// Reads files, given by the paths that reports show.
    public init(_ files: [(path: String, text: String)]) {
        for file in files {
            for use in SwiftNames(file.text).uses {
                byName[use.name, default: []].append((file.path, use))
            }
        }
    }

    /// The lines that use the subject of a change, in order; nil if it has no name in code, as the API
    /// as a whole, whose changes are about all calls.
    ///
    /// - Parameter isNew: Whether the code cannot use it yet, but what it is a part of.
    func places(of subject: String, isNew: Bool) -> [ChangeReport.Place]? {
        let all = subject.split(separator: ".")
        let parts = isNew && all.count > 1 ? all.dropLast() : all[...]
        guard subject != APIComparison.api, let first = parts.first, let name = parts.last
        else {
            return nil
        }
        let isType = first.first?.isUppercase == true
        let found =
            if parts.count == 1 {
                isType
                    ? uses(of: name) { !$0.isLabel }
                    : byName.values.joined().filter { $0.use.owner == SwiftNames.normal(first) }
            } else if isType || ["errors", "parameters"].contains(first) {
                uses(of: name) { $0.isMember || $0.isLabel }
            } else {
                // A change of a parameter is one of each call.
                parts.indices.dropFirst().flatMap { index in
                    let group = SwiftNames.normal(parts[..<index].joined())
                    return uses(of: parts[index]) { $0.isMember && $0.owner == group }
                }
            }
        let places = Set(found.map { ChangeReport.Place(file: $0.file, line: $0.use.line) })
        return places.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
    }

    private func uses(
        of name: Substring, where isUse: (SwiftNames.Use) -> Bool
    ) -> [(file: String, use: SwiftNames.Use)] {
        (byName[SwiftNames.normal(name)] ?? []).filter { isUse($0.use) }
    }
}
