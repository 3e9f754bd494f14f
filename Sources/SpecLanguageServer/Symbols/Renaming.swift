import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import TelexCompiler

/// The changes of a folder that give a symbol another name. The compiler has checked the folder with
/// them: it has no error that it did not have before.
struct Renaming {
    /// The changes by the paths of the files, in order.
    private(set) var edits: [String: [FileEdit]] = [:]
    /// Files that get another name.
    private(set) var moves: [(from: String, to: String)] = []

    /// - Throws: ``Refusal``, for a name that cannot stand at all places.
    init(_ found: Occurrence, to name: String, in snapshot: SpecSnapshot) throws(Refusal) {
        try Self.require(found.symbol)
        guard !name.isEmpty, name.utf8.count <= 200,
            name.unicodeScalars.allSatisfy({ Self.isAllowed($0, in: found.symbol.kind) })
        else {
            let marks = found.symbol.kind == .method ? "`_`, `-`, `.`, `/`, `:`" : "`_`, `-`, `.`"
            throw Refusal(.failed, "a name consists of letters, digits and \(marks)")
        }
        let isMethod = found.symbol.kind == .method
        let group = snapshot.symbols.declaration(of: found.symbol)?.owner
        let old = Spelling(found.symbol.name, in: isMethod ? group ?? "" : "")
        let new = Spelling(name, in: isMethod ? group ?? "" : "")
        for occurrence in snapshot.symbols.all(of: found.symbol) {
            guard let place = snapshot.place(of: occurrence.span),
                let text = new.replacement(of: snapshot.text(of: occurrence.span), old)
            else { continue }
            edits[place.file.path, default: []].append(FileEdit(range: place.range, text: text))
        }
        for (template, method) in snapshot.symbols.namedTemplates where method == found.symbol {
            let path = "\(snapshot.folder.shownPath)/templates/"
            if new.full.contains("/") { throw Refusal(.failed, "no template's name has a `/`") }
            moves.append((path + template, path + new.full + TemplateSyntax.ending))
        }
        try check(in: snapshot, name)
    }

    /// - Throws: ``Refusal``, for a symbol whose name is not the spec's own.
    static func require(_ symbol: Symbol) throws(Refusal) {
        guard symbol.place != nil else {
            throw Refusal(.failed, "`\(symbol.name)` is not declared in this spec")
        }
        guard symbol.kind != .template else {
            throw Refusal(.failed, "a template is called like its file: rename the file")
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar, in kind: Symbol.Kind) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || "_-.".unicodeScalars.contains(scalar)
            || kind == .method && "/:".unicodeScalars.contains(scalar)
    }

    /// The folder with the changes.
    private func applied(to folder: SpecFolder) -> SpecFolder {
        var folder = folder
        for index in folder.files.indices {
            let path = folder.files[index].shownPath
            for edit in (edits[path] ?? []).reversed() {
                folder.files[index].bytes.replaceSubrange(edit.range, with: edit.text.utf8)
            }
            if let move = moves.first(where: { $0.from == path }) {
                folder.files[index].shownPath = move.to
                folder.files[index].relativePath =
                    String(move.to.dropFirst(folder.shownPath.utf8.count + 1))
            }
        }
        return folder
    }

    private func check(in snapshot: SpecSnapshot, _ name: String) throws(Refusal) {
        let before = snapshot.compilation.diagnostics
        let after = TelexCompiler.check(applied(to: snapshot.folder)).diagnostics
        guard after.errorCount > before.errorCount else { return }
        let known = Set(before.all.map(\.message))
        let new = after.all.filter { $0.severity == .error && !known.contains($0.message) }
        let first = new.first { $0.message.contains("`\(name)`") } ?? new.first
        throw Refusal(
            .failed, "`\(name)` cannot be the name: " + (first?.message ?? "the spec has errors"))
    }
}

/// The forms in which a spec writes a name: a method may stand with its group or without.
private struct Spelling {
    /// The whole name.
    let full: String
    /// The name without the group; the same for what is no method.
    let short: String

    /// - Parameter group: The group of a method; empty for other symbols.
    init(_ name: String, in group: String) {
        full = group.isEmpty ? name : MethodSyntax.fullName(name, in: group)
        let isIn = !group.isEmpty && full.hasPrefix(group + ".")
        short = isIn ? String(full.dropFirst(group.count + 1)) : full
    }

    /// What stands in the place of a text; nil if that is another name, such as a field's own key.
    func replacement(of text: String, _ old: Spelling) -> String? {
        text == old.full ? full : text == old.short ? short : nil
    }
}
