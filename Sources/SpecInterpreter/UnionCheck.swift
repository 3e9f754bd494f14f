import SpecIR
import TelexJSON

/// A union, made ready for checks.
final class UnionCheck: Sendable {
    private struct Alternative: Sendable {
        let tag: String
        let value: ValueCheck
        let kinds: Set<JSONShape>
    }

    private let union: Union
    private let alternatives: [Alternative]
    private let objects: [Alternative]
    /// The tags of a closed union; nil for an open one.
    private let known: [String]?
    private let ownKeys: JSONKeys

    init(_ union: Union, _ table: ModelTable) {
        self.union = union
        alternatives = union.cases.map {
            Alternative(tag: $0.tag, value: ValueCheck($0.value, table), kinds: $0.kinds)
        }
        objects = alternatives.filter { $0.kinds == [.object] }
        ownKeys = JSONKeys(required: objects.map(\.tag))
        switch union.discriminator {
        case .kind: known = union.isClosed ? objects.map(\.tag) : nil
        case .key, .content, .onlyKey: known = union.isClosed ? alternatives.map(\.tag) : nil
        }
    }

    func read(_ json: inout JSONReader, _ run: CheckRun) -> CheckedValue? {
        switch union.discriminator {
        case .key(let key), .content(_, let key):
            tagged(tag(key, &json), alternatives, &json, run)
        case .onlyKey: tagged(json.onlyKey(known: known), alternatives, &json, run)
        case .kind(let objects): byKind(objects, &json, run)
        }
    }

    private func tag(_ key: String, _ json: inout JSONReader) -> String? {
        json.tag(key, from: union.tagsAreIntegers ? .int : .string, known: known)
    }

    /// Reads the alternative with a tag; nil if there was no tag.
    private func tagged(
        _ tag: String?, _ alternatives: [Alternative], _ json: inout JSONReader, _ run: CheckRun
    ) -> CheckedValue? {
        guard let tag else { return nil }
        guard let found = alternatives.first(where: { $0.tag.utf8.elementsEqual(tag.utf8) }) else {
            return unknown(&json, run)
        }
        switch union.discriminator {
        case .content(let key, _):
            return json.content(key ?? found.tag) { found.value.element(&$0, run) }
        case .onlyKey:
            return json.content(found.tag, isOnly: true) { found.value.element(&$0, run) }
        case .key, .kind: return found.value.value(&json, run)
        }
    }

    private func byKind(
        _ objects: Union.Objects, _ json: inout JSONReader, _ run: CheckRun
    ) -> CheckedValue? {
        let shape = json.kind.flatMap(JSONShape.init)
        if let shape {
            let isSplit = objects != .one
            if let found = alternatives.first(where: {
                $0.kinds.contains(shape) && !(isSplit && $0.kinds == [.object])
            }) {
                return found.value.value(&json, run)
            }
            if isSplit, shape == .object { return object(objects, &json, run) }
        }
        if union.isClosed || shape == nil { return json.refuse(expected: expectedKinds) }
        return unknown(&json, run)
    }

    private var expectedKinds: String {
        Set(union.cases.flatMap(\.kinds)).sorted().map(\.words).joined(separator: " or ")
    }

    /// Reads one of several alternatives that are objects.
    private func object(
        _ kind: Union.Objects, _ json: inout JSONReader, _ run: CheckRun
    ) -> CheckedValue? {
        if case .key(let key) = kind { return tagged(tag(key, &json), objects, &json, run) }
        if let number = json.firstKey(among: ownKeys) {
            return objects[number].value.value(&json, run)
        }
        let keys = objects.map(\.tag).joined(separator: ", ")
        return union.isClosed
            ? json.refuse(expected: "an object with one of the keys \(keys)") : unknown(&json, run)
    }

    /// Reads an alternative that an open union does not have.
    private func unknown(_ json: inout JSONReader, _ run: CheckRun) -> CheckedValue? {
        guard let value: JSONValue = json.value() else { return nil }
        run.notes?.append(
            SpecNote(
                .unknownAlternative, at: json.path,
                found: union.redactsUnknown || json.isSensitive
                    ? .string(Violation.redacted) : value))
        return .json(value)
    }
}

extension JSONShape {
    init?(_ kind: JSONKind) {
        switch kind {
        case .string: self = .string
        case .number: self = .number
        case .bool: self = .bool
        case .array: self = .array
        case .object: self = .object
        case .null: return nil
        }
    }
}
