import SpecDiagnostics

/// Reads YAML 1.2 into nodes that know their place.
public enum YAMLReader {
    /// Reads the one document of a file.
    ///
    /// Never fails: what is wrong is reported (codes T0001 to T0019). Mistakes that leave the
    /// structure clear (a key written twice, an unknown alias, …) cost the entry or leave an absent
    /// value. A mistake that ends the reading gives nil, and so does a file without a document:
    /// half a tree would only cause messages about the half that is missing.
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
