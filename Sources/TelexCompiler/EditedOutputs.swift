import SpecDiagnostics
import SpecIR
import SpecSemantics
import SwiftEmitter

/// The Swift files after a small edit of a spec, made of those before it.
///
/// A slice of the spec is compiled as it was and as it is. Where its code differs, the code as it was is
/// found in the files and replaced. Whatever does not fit means that the whole spec is to be compiled:
/// a diagnostic, a difference outside of the edited methods and models, code that is not found.
public struct EditedOutputs: Sendable {
    /// The files to write.
    public let changes: [OutputChanges.Change]
    /// All files after the changes.
    public private(set) var files: [OutputChanges.Existing]

    /// Makes the files; nil if that takes compiling the whole spec.
    ///
    /// - Parameters:
    ///   - outputs: The Swift files of the output folder, which are those of `old`.
    ///   - old: The files of the spec of the last run, which had no diagnostics.
    ///   - new: The files of the spec.
    ///   - parts: The numbers of Swift files that are declared, as in `TelexCompiler.compile`.
    public init?(
        of outputs: [OutputChanges.Existing], from old: [SpecFolder.File],
        to new: [SpecFolder.File], parts: [String: Int]?
    ) {
        guard let edit = SpecEdit(from: old, to: new),
            parts != nil || zip(edit.old, edit.new).allSatisfy({ Self.haveSameParts($0, $1) }),
            let changes = Self.changes(of: outputs, by: edit)
        else { return nil }
        (self.changes, files) = (changes, outputs)
        let new = Dictionary(changes.map { ($0.name, $0.new) }) { first, _ in first }
        for index in files.indices {
            if let bytes = new[files[index].name] ?? nil { files[index].bytes = bytes }
        }
    }

    /// The changes by the first slice that tells them; nil if none does.
    private static func changes(
        of outputs: [OutputChanges.Existing], by edit: SpecEdit
    ) -> [OutputChanges.Change]? {
        for use in edit.uses {
            if let changes = changes(of: outputs, edit, use) { return changes }
        }
        return nil
    }

    /// The changes by a slice; nil if it does not tell them.
    private static func changes(
        of outputs: [OutputChanges.Existing], _ edit: SpecEdit, _ use: SpecSlice.Use
    ) -> [OutputChanges.Change]? {
        guard let slice = SpecSlice(of: edit, use: use),
            let before = Self.compile(slice.folder(of: edit.old)),
            let after = Self.compile(slice.folder(of: edit.new)),
            let edits = CodeEdits(from: before, to: after, affected: slice.affected),
            edits.sharedTypes.allSatisfy({ name, count in
                outputs.map { ByteSearch.mentions(of: name, in: $0.bytes).count }.reduce(0, +)
                    == count
            })
        else { return nil }
        var changes: [OutputChanges.Change] = []
        for (source, replacements) in edits.replacements {
            let files = outputs.filter {
                $0.isGenerated && SwiftEmitter.source(of: $0.bytes) == source
            }
            guard let changed = Self.replace(replacements, in: files) else { return nil }
            changes += changed
        }
        return changes.sorted { $0.name < $1.name }
    }

    private static func haveSameParts(_ old: DeclaredText, _ new: DeclaredText) -> Bool {
        let path = new.file.relativePath
        return OutputName.parts(forSpec: path, size: old.file.bytes.count)
            == OutputName.parts(forSpec: path, size: new.file.bytes.count)
    }

    /// Checks a slice; nil if there is anything to report besides what its size explains: models that
    /// others use. A small edit changes nothing about that.
    private static func compile(_ folder: SpecFolder) -> API? {
        let result = TelexCompiler.check(folder)
        let expected = [DiagnosticCode.unusedModel.id, DiagnosticCode.emptyMethods.id]
        let isClean = result.diagnostics.all.allSatisfy { expected.contains($0.code.id) }
        return isClean && result.diagnostics.droppedCount == 0 ? result.api : nil
    }

    /// Replaces lines of some files. Nil if some do not occur as often as in the slice.
    private static func replace(
        _ replacements: [CodeEdits.Replacement], in files: [OutputChanges.Existing]
    ) -> [OutputChanges.Change]? {
        var places = Array(repeating: [(start: Int, Int)](), count: files.count)
        for (number, replacement) in replacements.enumerated() {
            var count = 0
            for (index, file) in files.enumerated() {
                let found = ByteSearch.places(of: replacement.old, in: file.bytes) { before, _ in
                    before == UInt8(ascii: "\n")
                }
                count += found.count
                places[index] += found.map { ($0, number) }
            }
            guard count == replacement.count else { return nil }
        }
        var changes: [OutputChanges.Change] = []
        for (file, places) in zip(files, places) {
            var bytes: [UInt8] = []
            var end = 0
            for (start, number) in places.sorted(by: { $0.start < $1.start }) {
                guard start >= end else { return nil }
                bytes += file.bytes[end..<start] + replacements[number].new
                end = start + replacements[number].old.count
            }
            bytes += file.bytes[end...]
            if bytes == file.bytes { continue }
            changes.append(OutputChanges.Change(name: file.name, old: file.bytes, new: bytes))
        }
        return changes
    }
}

extension SpecEdit {
    /// The uses of the edited models to try, the usual one first.
    fileprivate var uses: [SpecSlice.Use] {
        let hasModels = changed.contains { new[$0.file].declarations[$0.declaration].isModel }
        return isOfDocumentation && hasModels ? SpecSlice.Use.allCases : [.any]
    }
}
