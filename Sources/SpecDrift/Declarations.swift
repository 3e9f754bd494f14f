import SpecIR
import SpecSemantics
import SpecSyntax
import TelexCompiler

/// The declarations of values in the replies of a spec.
struct Declarations: Sendable {
    let returns: [String: MethodSyntax]
    /// The paths that lead to the values of methods.
    private let unwraps: [String: [PathStep]]
    private let walk: SpecWalk

    init(_ compilation: Compilation, _ api: API) {
        let methods = api.groups.flatMap(\.methods)
        returns = Dictionary(
            methods.compactMap { method in
                SpecAnalyzer.method(method.apiName, in: compilation.spec)
                    .map { (method.apiName, $0.syntax) }
            }, uniquingKeysWith: { first, _ in first })
        unwraps = Dictionary(
            methods.map { ($0.apiName, ($0.reply ?? api.reply).unwrap) },
            uniquingKeysWith: { first, _ in first })
        walk = SpecWalk(compilation.spec)
    }

    /// The declaration of a value in the replies of a method.
    func declaration(of path: String, in method: String, status: Int?) -> SpecWalk.Found? {
        SpecWalk.steps(path).flatMap { declaration(of: $0, in: method, status: status) }
    }

    func declaration(
        of steps: [SpecWalk.Step], in method: String, status: Int?
    ) -> SpecWalk.Found? {
        guard let syntax = returns[method] else { return nil }
        let unwrap = unwraps[method] ?? []
        var rest = steps[...]
        for step in unwrap {
            switch (step, rest.first) {
            case (.key(let key), .key(let found)?) where key == found: rest = rest.dropFirst()
            case (.key, _): return nil
            case (.index, .index?), (.each, .index?), (.first, .index?): rest = rest.dropFirst()
            case (.index, _), (.each, _), (.first, _): return nil
            }
        }
        let types = syntax.replies.filter { status == nil || $0.status.value == status }.map(\.type)
        for type in [syntax.returns].compactMap(\.self) + types {
            if let found = walk.find(Array(rest), from: type, of: method) { return found }
        }
        return nil
    }
}
