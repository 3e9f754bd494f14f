import SpecDiagnostics

/// Reads YAML 1.2 into nodes with spans.
public enum YAMLReader {
    /// Reads the one document of a file.
    ///
    /// Reports errors (codes T0001 to T0019). An error that leaves the structure intact (a
    /// duplicate key, an unknown alias, …) drops the entry or leaves an absent value. Returns nil
    /// after a syntax error and for a file without a document, because half a tree would only cause
    /// follow-up messages.
    ///
    /// - Parameter isForeign: Whether other tools read the file, too. Then `<<` adds the keys of other
    ///   mappings, as in YAML 1.1 (type `merge`): keys of the mapping itself win, then those of the
    ///   first mapping. A character that looks like YAML syntax is a part of its text. Otherwise, both
    ///   are errors.
    public static func read(
        _ file: SourceFile, isForeign: Bool = false, into bag: inout DiagnosticBag
    ) -> YAMLNode? {
        var precheck = YAMLPrecheck(file)
        guard precheck.passes(reportingTo: &bag) else { return nil }
        return file.bytes.withUnsafeBufferPointer { bytes in
            let content = UnsafeBufferPointer(rebasing: bytes[file.byteOrderMarkSize...])
            var builder = YAMLBuilder(file, content)
            builder.isForeign = isForeign
            let root = builder.build()
            bag.report(contentsOf: builder.bag)
            return root
        }
    }
}
