import SpecDiagnostics

/// Reads YAML 1.2 into nodes with spans.
public enum YAMLReader {
    /// Reads the one document of a file.
    ///
    /// Reports errors (codes T0001 to T0019). An error that leaves the structure intact (a
    /// duplicate key, an unknown alias, …) drops the entry or leaves an absent value. Returns nil
    /// after a syntax error and for a file without a document, because half a tree would only cause
    /// follow-up messages.
    public static func read(_ file: SourceFile, into bag: inout DiagnosticBag) -> YAMLNode? {
        var precheck = YAMLPrecheck(file)
        guard precheck.passes(reportingTo: &bag) else { return nil }
        return file.bytes.withUnsafeBufferPointer { bytes in
            let content = UnsafeBufferPointer(rebasing: bytes[file.byteOrderMarkSize...])
            var builder = YAMLBuilder(file, content)
            let root = builder.build()
            bag.report(contentsOf: builder.bag)
            return root
        }
    }
}
