import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Where the parameters of methods are declared.
public struct ParameterPlaces: Sendable {
    private var places: [String: String] = [:]

    /// Collects the places of a spec.
    public init(_ compilation: Compilation) {
        let spec = SpecAnalyzer.expanded(compilation.spec)
        for parameter in spec.api?.parameters ?? [] { add(parameter, of: "", compilation) }
        for group in spec.groups {
            for method in group.methods {
                let name = MethodSyntax.fullName(method.name.value, in: group.name)
                places[name] = compilation.place(of: method.name.span)
                for parameter in group.parameters + method.parameters {
                    add(parameter, of: name, compilation)
                }
            }
        }
    }

    private mutating func add(
        _ parameter: ParameterSyntax, of method: String, _ compilation: Compilation
    ) {
        places[Self.key(parameter.key.value, of: method)] =
            compilation.place(of: parameter.key.span)
    }

    private static func key(_ parameter: String, of method: String) -> String {
        method + "\0" + parameter
    }

    /// The file and line of a parameter; of the method for one that stands nowhere.
    public subscript(method: String, parameter: String) -> String {
        places[Self.key(parameter, of: method)] ?? places[Self.key(parameter, of: "")]
            ?? places[method] ?? ""
    }
}

extension Compilation {
    /// The name of the file of a span, and its line.
    public func place(of span: Span) -> String {
        let file = sources[span.file].path.split(separator: "/").last ?? ""
        return "\(file):\(sources.position(of: span).line)"
    }
}
