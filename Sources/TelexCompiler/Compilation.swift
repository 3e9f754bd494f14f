import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import SwiftEmitter

/// What the compiler made of a folder.
public struct Compilation: Sendable {
    /// The files that the places of diagnostics lie in.
    public internal(set) var sources: SourceMap
    /// What is wrong.
    public internal(set) var diagnostics: DiagnosticBag
    /// What was written.
    public internal(set) var spec: Spec
    /// What it means; nil if there are errors.
    public internal(set) var api: API?
    /// The generated files, sorted by name; empty if there are errors or none were asked for.
    public internal(set) var files: [GeneratedFile] = []

    /// What holds for a method and where each value was said, or nil if the spec has no such
    /// method. Works on a spec with mistakes too, as far as it could be read.
    public func explanation(of method: String) -> MethodExplanation? {
        SpecAnalyzer.explain(method, in: spec)
    }

    /// The names of all methods, sorted.
    public var methodNames: [String] { SpecAnalyzer.methodNames(in: spec) }
}
