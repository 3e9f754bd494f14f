import SpecIR
import SwiftEmitter

/// The difference of the code of two versions of a slice.
struct CodeEdits {
    /// The code of a declaration, before and after.
    struct Replacement {
        let old: [UInt8], new: [UInt8]
        /// How often it occurs.
        var count = 1
    }

    /// The code of all affected declarations, by the source in the header of its file.
    private(set) var replacements: [String: [Replacement]] = [:]
    /// The inline types of methods that differ, with the number of their mentions. Other methods may
    /// share them, with content that is now another one.
    private(set) var sharedTypes: [String: Int] = [:]
    /// The API's names of the methods and models that may differ.
    private let affected: Set<String>

    /// Compares two slices; nil if they differ in more than the affected methods and models.
    init?(from old: API, to new: API, affected: Set<String>) {
        self.affected = affected
        guard isSame(old, new) else { return nil }
        let types = zip(old.groups, new.groups).flatMap { zip($0.models, $1.models) }
            .filter { $0 != $1 && $0.inlinePlace != nil }.map(\.0.name)
        let old = SwiftEmitter.emit(affectedPart(of: old))
        let new = SwiftEmitter.emit(affectedPart(of: new))
        guard old.count == new.count else { return nil }
        for (old, new) in zip(old, new) {
            guard add(old, new) else { return nil }
        }
        for name in types {
            sharedTypes[name] = old.map {
                ByteSearch.mentions(of: name, in: Array($0.text.utf8)).count
            }.reduce(0, +)
        }
    }

    // MARK: The API

    /// Whether two versions of an API differ in nothing but affected methods and models.
    private func isSame(_ old: API, _ new: API) -> Bool {
        var (one, two) = (old, new)
        (one.groups, two.groups) = ([], [])
        return one == two && old.groups.count == new.groups.count
            && zip(old.groups, new.groups).allSatisfy(isSame)
    }

    private func isSame(_ old: Group, _ new: Group) -> Bool {
        var (one, two) = (old, new)
        (one.methods, two.methods, one.models, two.models) = ([], [], [], [])
        return one == two && old.methods.count == new.methods.count
            && old.models.count == new.models.count
            && zip(old.methods, new.methods).allSatisfy { one, two in
                one == two || one.apiName == two.apiName && isAffected(one.apiName)
            }
            && zip(old.models, new.models).allSatisfy { one, two in
                one == two || one.place == two.place && isAffected(one.place)
            }
    }

    /// The API without the other models, whose code is the same in both versions.
    private func affectedPart(of api: API) -> API {
        var api = api
        for index in api.groups.indices {
            api.groups[index].models.removeAll { !isAffected($0.place) }
        }
        return api
    }

    /// Whether a method or model, or the inline type of a method, may differ.
    private func isAffected(_ place: String) -> Bool {
        affected.contains(place) || affected.contains { place.hasPrefix($0 + ".") }
    }

    // MARK: The code

    /// Adds what differs in a file; false if anything else does.
    private mutating func add(_ old: GeneratedFile, _ new: GeneratedFile) -> Bool {
        let (before, after) = (Array(old.text.utf8), Array(new.text.utf8))
        guard old.name == new.name, old.declarations.count == new.declarations.count,
            let source = SwiftEmitter.source(of: before)
        else { return false }
        var (one, other) = (0, 0)
        for (old, new) in zip(old.declarations, new.declarations) {
            guard old.name == new.name,
                before[one..<old.range.lowerBound] == after[other..<new.range.lowerBound]
            else { return false }
            (one, other) = (old.range.upperBound, new.range.upperBound)
            let replacement = Replacement(
                old: Array(before[old.range]), new: Array(after[new.range]))
            if isAffected(old.name) {
                guard add(replacement, to: source) else { return false }
            } else if replacement.old != replacement.new {
                return false
            }
        }
        return before[one...] == after[other...]
    }

    /// Adds a replacement. False if the same code is to become other code elsewhere.
    private mutating func add(_ replacement: Replacement, to source: String) -> Bool {
        let known = replacements[source]?.firstIndex { $0.old == replacement.old }
        guard let known else {
            replacements[source, default: []].append(replacement)
            return true
        }
        replacements[source]?[known].count += 1
        return replacements[source]?[known].new == replacement.new
    }
}
