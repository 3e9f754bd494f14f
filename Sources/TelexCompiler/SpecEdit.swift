import SpecIR
import SpecSyntax

/// An edit of a spec that changes nothing but the documentation and the rules of some methods and models.
///
/// Names, types, paths and settings are the same before and after it. So what does not mention an edited
/// declaration is compiled as before.
struct SpecEdit {
    /// A method or model, by its group file and its number there.
    struct Place: Hashable {
        let file: Int
        let declaration: Int
    }

    /// `api.yaml`, which is the same in both versions.
    let api: SpecFolder.File
    /// The templates of replies, which are the same in both versions.
    let templates: [SpecFolder.File]
    /// The group files of both versions, sorted by path.
    let old: [DeclaredText], new: [DeclaredText]
    /// The edited declarations.
    let changed: [Place]
    /// Whether no rule differs.
    let isOfDocumentation: Bool

    /// Compares two versions of a folder; nil if the edit may be of another kind.
    init?(from old: [SpecFolder.File], to new: [SpecFolder.File]) {
        let old = old.sorted { $0.relativePath < $1.relativePath }
        let new = new.sorted { $0.relativePath < $1.relativePath }
        guard old.map(\.relativePath) == new.map(\.relativePath),
            let api = new.first(where: { OutputName.isAPI($0.relativePath) })
        else { return nil }
        (self.api, templates) = (api, new.filter { OutputName.isTemplate($0.relativePath) })
        var texts: [(old: DeclaredText, new: DeclaredText)] = []
        var changed: [Place] = []
        var changes: [DeclarationChange] = []
        for (old, new) in zip(old, new) {
            let isGroup =
                OutputName.isSpec(new.relativePath) && new.relativePath != api.relativePath
            let isSame = old.bytes == new.bytes
            guard isGroup || isSame else { return nil }
            if !isGroup { continue }
            guard let text = DeclaredText(new) else { return nil }
            if isSame {
                texts.append((text, text))
                continue
            }
            guard let before = DeclaredText(old), before.hasOutline(of: text),
                !Self.ignoresWarnings(before), !Self.ignoresWarnings(text)
            else { return nil }
            for index in Self.edited(before, text) {
                guard
                    let change = DeclarationChange(
                        from: before.text(ofOnly: index), to: text.text(ofOnly: index)),
                    change.isSmall(rules: true)
                else { return nil }
                changes.append(change)
                changed.append(Place(file: texts.count, declaration: index))
            }
            texts.append((before, text))
        }
        isOfDocumentation = changes.allSatisfy { $0.isSmall(rules: false) }
        (self.old, self.new, self.changed) = (texts.map(\.old), texts.map(\.new), changed)
    }

    /// Whether a comment may tell which warnings to ignore.
    private static func ignoresWarnings(_ text: DeclaredText) -> Bool {
        String(decoding: text.file.bytes, as: UTF8.self).contains(ascii: IgnoreSyntax.mark)
    }

    /// The declarations whose text differs.
    private static func edited(_ old: DeclaredText, _ new: DeclaredText) -> [Int] {
        new.declarations.indices.filter { index in
            old.file.bytes[old.declarations[index].range]
                != new.file.bytes[new.declarations[index].range]
        }
    }
}
