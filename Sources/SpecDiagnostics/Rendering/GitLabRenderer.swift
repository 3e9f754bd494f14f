/// Renders diagnostics as the report of code quality that GitLab shows in a merge request.
public struct GitLabRenderer: ReportRenderer {
    /// A renderer.
    public init() {}

    /// The list; empty without diagnostics.
    public func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String {
        var counts: [String: Int] = [:]
        let items = bag.all.map { diagnostic in
            let file = sources[diagnostic.span.file]
            let line = file.position(of: Int(diagnostic.span.start)).line
            // Without the line, so that a mistake that moves stays the same one.
            let identity = "\(diagnostic.code.id)\0\(file.path)\0\(diagnostic.message)"
            let count = counts[identity, default: 0]
            counts[identity] = count + 1
            let help = diagnostic.help.map { "; help: \($0)" } ?? ""
            return JSONText.object([
                ("description", .string(diagnostic.message + help)),
                ("check_name", .string(diagnostic.code.id)),
                ("fingerprint", .string(stableHash("\(identity)\0\(count)"))),
                ("severity", .string(diagnostic.severity == .error ? "major" : "minor")),
                (
                    "location",
                    .object([
                        ("path", .string(file.path)), ("lines", .object([("begin", .int(line))])),
                    ])
                ),
            ])
        }
        return JSONText.array(items).rendered() + "\n"
    }
}
