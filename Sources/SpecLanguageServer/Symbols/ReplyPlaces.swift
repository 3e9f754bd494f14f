import SpecDiagnostics
import SpecSyntax
public import TelexCompiler

/// Finds the lines of a spec that declare parts of replies.
public struct ReplyPlaces: Sendable {
    private let collector: SymbolCollector
    private let methods: [String: MethodSyntax]

    /// Reads a spec. What is wrong in it is left out.
    public init(_ folder: SpecFolder) {
        let compilation = TelexCompiler.check(folder)
        let sources = compilation.sources
        let paths = Set(folder.files.map(\.shownPath))
        collector = SymbolCollector(
            compilation.spec, sources,
            files: Set(sources.files.filter { paths.contains($0.path) }.map(\.id)))
        let named = compilation.spec.groups.flatMap { group in
            group.methods.map { (MethodSyntax.fullName($0.name.value, in: group.name), $0) }
        }
        methods = Dictionary(named) { first, _ in first }
    }

    /// The file and the line of the field that a path leads to; of a path that leads to none, the
    /// field around it, or the method. `nil` for an unknown method.
    ///
    /// - Parameter path: A path as violations have it, such as `response.items[3].age`.
    public func place(of path: String, in method: String) -> String? {
        guard let method = methods[method] else { return nil }
        var (types, span) = (method.replyTypes, method.name.inner)
        for key in path.split(whereSeparator: { ".[]\"".contains($0) }) {
            let found = types.flatMap { collector.members(of: $0) }.filter { $0.key == key }
            // The envelope of a reply is declared elsewhere, and an index is no field.
            guard let field = found.first, let place = field.symbol.place else { continue }
            (types, span) = (found.map(\.type), place)
        }
        return collector.sources.place(of: span)
    }
}
