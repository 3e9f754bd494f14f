import SpecDiagnostics
import TelexCompiler

extension Feature {
    /// Offers the remedies that diagnostics name.
    static var quickFixes: Feature {
        Feature(
            method: "textDocument/codeAction",
            capabilities: ["codeActionProvider": ["codeActionKinds": ["quickfix"]]]
        ) { params, workspace throws(Refusal) in
            let only = params["context", "only"]
            let isAsked =
                only == .null || only.items.contains { "quickfix".hasPrefix($0.text ?? "-") }
            guard isAsked, let (snapshot, path) = try workspace.spec(params),
                let file = snapshot.file(path)
            else { return [] }
            let unit = workspace.encoding
            let asked = try params.required("range") { unit.offsets(of: $0, in: file) }
            var actions: [JSONTree] = []
            for diagnostic in snapshot.compilation.diagnostics.all
            where diagnostic.span.file == file.id && actions.count < 20 {
                let shown = workspace.shown(diagnostic, at: diagnostic.span, of: file, in: snapshot)
                // An editor may ask for the cursor alone, and name the diagnostics of its line.
                let isNamed = params["context", "diagnostics"].items.contains {
                    $0["code"] == shown["code"] && $0["range"] == shown["range"]
                }
                let isHere =
                    Int(diagnostic.span.start) <= asked.upperBound
                    && asked.lowerBound <= Int(diagnostic.span.end)
                guard isNamed || isHere else { continue }
                for fix in QuickFix.all(
                    for: diagnostic, of: snapshot.compilation, in: snapshot.folder)
                {
                    actions.append([
                        "title": .text(fix.title), "kind": "quickfix", "diagnostics": [shown],
                        "edit": ["documentChanges": [workspace.change(file, [fix.edit])]],
                    ])
                }
            }
            return .list(actions)
        }
    }
}
