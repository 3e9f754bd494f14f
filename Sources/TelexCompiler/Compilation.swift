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

    /// The names of all methods, sorted.
    public var methodNames: [String] { SpecAnalyzer.methodNames(in: spec) }
}
