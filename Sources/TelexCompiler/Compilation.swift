import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import SwiftEmitter

/// The result of compiling a folder.
public struct Compilation: Sendable {
    /// The sources of all spans.
    public internal(set) var sources: SourceMap
    /// The diagnostics.
    public internal(set) var diagnostics: DiagnosticBag
    /// The syntax tree.
    public internal(set) var spec: Spec
    /// The IR; nil if there are errors.
    public internal(set) var api: API?
    /// The generated files, sorted by name; empty after errors or a mere check.
    public internal(set) var files: [GeneratedFile] = []

    /// Returns the effective values of a method with their origins, or nil if the spec has no such
    /// method. Also works on a spec with errors, as far as it could be parsed.
    public func explanation(of method: String) -> MethodExplanation? {
        SpecAnalyzer.explain(method, in: spec)
    }

    /// The whole name of a method, which may be given without its group if no other group has one of
    /// this name; nil if there is no such method, or several.
    public func methodName(_ name: String) -> String? {
        if methodNames.contains(name) { return name }
        let same = methodNames.filter { $0.hasSuffix("." + name) }
        return same.count == 1 ? same[0] : nil
    }

    /// The method of this whole name; nil after errors.
    public func method(named name: String) -> Method? {
        api?.groups.lazy.flatMap(\.methods).first { $0.apiName == name }
    }

    /// The template of a method: the one that it names, or the one that is called like it.
    public func template(of method: String) -> TemplateSyntax? {
        SpecAnalyzer.template(of: method, in: spec)
    }

    /// The names of types that models cannot have: those of the generated files, if there are any,
    /// and of the models of the spec.
    public var typeNames: Set<String> {
        let declaration = #/\b(?:struct|enum|protocol|class|typealias) `?(\w+)/#
        let generated = files.flatMap { $0.text.matches(of: declaration) }.map(\.output.1)
        return Set(generated.map(String.init))
            .union(spec.groups.flatMap(\.models).map(\.name.value))
    }

    /// The names of all methods, sorted.
    public var methodNames: [String] { SpecAnalyzer.methodNames(in: spec) }
}
