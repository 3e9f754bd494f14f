import SpecSyntax

/// Alternatives of a value: told apart by their kinds of JSON, by constants, or by required keys.
extension TypeTranslator {
    private struct Alternative {
        var schema: SchemaDescription
        var facts: SchemaFacts
        var object: FlatObject { facts.object ?? FlatObject() }
    }

    func union(_ schemas: [SchemaDescription], of owner: SchemaDescription) -> DraftType {
        var seen: Set<String> = []
        var isNullable = false
        let members = expanded(schemas, depth: 0).filter { schema in
            if self.schemas.isNullable(schema) { isNullable = true }
            return schema.reference.map { seen.insert($0.key).inserted } ?? true
        }
        var type = distinct(members.map { Alternative(schema: $0, facts: self.schemas.facts($0)) }, owner)
        if isNullable, type.bare != .json { type.isNullable = true }
        return type
    }

    /// The alternatives, those of unions among them in their place.
    private func expanded(_ members: [SchemaDescription], depth: Int) -> [SchemaDescription] {
        members.flatMap { member -> [SchemaDescription] in
            guard depth < 10, let target = schemas.target(member), target.choices == nil,
                target.parts.values == nil, target.parts.all.isEmpty,
                target.parts.properties.isEmpty, target.parts.tag == nil,
                let inner = target.parts.alternatives
            else { return [member] }
            return expanded(inner, depth: depth + 1)
        }
    }

    private func distinct(_ members: [Alternative], _ owner: SchemaDescription) -> DraftType {
        if members.count == 1 { return type(members[0].schema) }
        let isUnclear = members.contains { $0.facts.shapes.count != 1 || $0.facts.shapes == [.any] }
        if members.isEmpty || isUnclear {
            lose(.indistinct, "any value among them", at: owner.span)
            return .json
        }
        let groups = Dictionary(grouping: members) { $0.facts.shapes.first ?? .any }
        if Set(groups.keys) == [.string, .number], let either = textOrNumber(groups) { return either }
        var types: [DraftUnion.Alternative] = []
        for shape in [SchemaFacts.Shape.object, .array, .string, .number, .boolean] {
            guard let group = groups[shape] else { continue }
            if shape == .object, group.count > 1 {
                guard let objects = self.objects(group, owner) else { return .json }
                if groups.count == 1 { return DraftType(.union(objects)) }
                if objects.tag == nil {
                    types += objects.alternatives
                } else {
                    types.append(.init(name: "object", type: DraftType(.union(objects))))
                }
            } else {
                types.append(.init(name: nil, type: merged(group, shape, owner).bare))
            }
        }
        if types.count == 1 { return types[0].type }
        return DraftType(.union(DraftUnion(alternatives: named(types))))
    }

    /// A text or a number, whichever the server sends.
    private func textOrNumber(_ groups: [SchemaFacts.Shape: [Alternative]]) -> DraftType? {
        let types = (groups[.string] ?? []) + (groups[.number] ?? [])
        guard types.count == 2, types.allSatisfy({ schemas.target($0.schema)?.parts.values == nil }),
            case let text = type(types[0].schema).bare, text == .named("string"),
            case let number = type(types[1].schema).bare, number.attributes.isEmpty
        else { return nil }
        return .named("string", [DraftEntry("from", .text("either"))])
    }

    /// One type for alternatives of one kind of JSON that is not an object.
    private func merged(
        _ group: [Alternative], _ shape: SchemaFacts.Shape, _ owner: SchemaDescription
    ) -> DraftType {
        if group.count == 1 { return chosen(element(group[0].schema)) }
        switch shape {
        case .string: return mergedTexts(group, owner)
        case .number:
            lose(.merged, "numbers", at: owner.span)
            let areIntegers = group.allSatisfy { schemas.target($0.schema)?.kinds == [.integer] }
            return .named(areIntegers ? "int" : "double")
        case .array:
            lose(.merged, "lists", at: owner.span)
            let items = group.flatMap { schemas.target($0.schema)?.parts.items ?? [] }
            return .list(items.isEmpty ? .json : union(items, of: owner).bare)
        default: return .named("bool")
        }
    }

    private func mergedTexts(_ group: [Alternative], _ owner: SchemaDescription) -> DraftType {
        let targets = group.compactMap { schemas.target($0.schema) }
        let values = targets.compactMap { target in
            target.parts.values?.map { (value: $0, name: String?.none, doc: String?.none) }
                ?? target.choices
        }
        if values.count == group.count {
            return chosen(enumeration(values.flatMap(\.self), targets[0]))
        }
        if values.isEmpty {
            lose(.merged, "texts", at: owner.span)
        } else {
            let texts = values.flatMap(\.self).map { $0.value.text }
            lose(.openChoice, texts.joined(separator: ", "), at: owner.span)
        }
        return .named("string")
    }

    // MARK: Objects

    private func objects(_ group: [Alternative], _ owner: SchemaDescription) -> DraftUnion? {
        guard group.allSatisfy({ $0.facts.object != nil }) else {
            lose(.indistinct, "an object with any keys among them", at: owner.span)
            return nil
        }
        if let tagged = tagged(group, owner) { return tagged }
        if isToldApartByConstants(group) || isToldApartByKeys(group) {
            let types = group.map { DraftUnion.Alternative(name: nil, type: element($0.schema).bare) }
            return DraftUnion(alternatives: named(types))
        }
        let names = group.map { $0.schema.reference?.name ?? $0.schema.parts.title ?? "object" }
        lose(.indistinct, names.joined(separator: ", "), at: owner.span)
        return nil
    }

    /// A union with the tag of the discriminator, or a key whose constants are several for an alternative.
    private func tagged(_ group: [Alternative], _ owner: SchemaDescription) -> DraftUnion? {
        let wanted = owner.parts.tag?.key
        for key in [wanted].compactMap(\.self) + group[0].object.properties.map(\.name) {
            let found = group.map { schemas.constants(of: key, in: $0.object) }
            let tags = found.compactMap { $0?.texts }
            let all = tags.flatMap(\.self)
            let kinds = Set(found.compactMap { $0?.areIntegers })
            guard tags.count == group.count, Set(all).count == all.count, kinds.count == 1 else { continue }
            // Single constants need no tag: the compiler finds them.
            if key != wanted, all.count == group.count { return nil }
            return union(group, key, tags, areIntegers: kinds == [true])
        }
        guard let wanted, group.allSatisfy({ mayBeTagged($0, by: wanted) }) else { return nil }
        let mapping = owner.parts.tag?.mapping ?? []
        let tags = group.map { item -> [String] in
            let name = item.schema.reference?.name ?? ""
            let own = mapping.filter { $0.target == name || $0.target.hasSuffix("/" + name) }
            return own.isEmpty ? [name] : own.map(\.value)
        }
        let all = tags.flatMap(\.self)
        guard !all.contains(""), Set(all).count == all.count else { return nil }
        return union(group, wanted, tags, areIntegers: false)
    }

    /// Whether an object has the tag as a text that is always there, or leaves it to the union.
    private func mayBeTagged(_ item: Alternative, by key: String) -> Bool {
        guard let property = item.object[key] else {
            if case .schema = item.object.furtherKeys { return false }
            return true
        }
        let target = schemas.target(property)
        return item.object.required.contains(key) && !schemas.isNullable(property)
            && target?.kinds == [.string] && target?.parts.values == nil
            && target?.parts.format == nil && target?.parts.rules.isEmpty == true
    }

    private func union(
        _ group: [Alternative], _ key: String, _ tags: [[String]], areIntegers: Bool
    ) -> DraftUnion {
        var alternatives: [DraftUnion.Alternative] = []
        for (item, own) in zip(group, tags) {
            var type = element(item.schema).bare
            // Of several tags of one object, each refers to its model.
            if own.count > 1, type.isDeclaration {
                type = .named(declare(item.schema, named: item.schema.parts.title ?? own[0]))
            }
            alternatives += own.map { .init(name: $0, type: type) }
        }
        return DraftUnion(alternatives: alternatives, tag: key, tagsAreIntegers: areIntegers)
    }

    private func isToldApartByConstants(_ group: [Alternative]) -> Bool {
        group[0].object.properties.contains { key, _ in
            let found = group.map { schemas.constants(of: key, in: $0.object) }
            let texts = found.compactMap { $0?.texts.count == 1 ? $0?.texts[0] : nil }
            return texts.count == group.count && Set(texts).count == texts.count
                && Set(found.compactMap { $0?.areIntegers }).count == 1
        }
    }

    private func isToldApartByKeys(_ group: [Alternative]) -> Bool {
        var owners: [String: Int] = [:]
        for item in group {
            for property in item.object.properties { owners[property.name, default: 0] += 1 }
        }
        return group.allSatisfy { item in
            if case .schema = item.object.furtherKeys { return false }
            return item.object.required.contains { key in
                owners[key] == 1 && item.object[key].map { !isOnlySent($0) } == true
            }
        }
    }

    private func isOnlySent(_ schema: SchemaDescription) -> Bool {
        schema.parts.isWriteOnly && !schema.parts.isReadOnly
    }

    // MARK: Names

    /// The alternatives, all with names if one needs its own.
    private func named(_ alternatives: [DraftUnion.Alternative]) -> [DraftUnion.Alternative] {
        let derived = alternatives.map { derivedName($0.type) }
        let isApart = Set(derived.compactMap { $0.flatMap(namer.lowerCamel) }).count == derived.count
        if isApart, !alternatives.contains(where: { $0.name != nil || $0.type.isDeclaration }) {
            return alternatives
        }
        var taken: Set<String> = []
        return alternatives.map { item in
            var item = item
            let base = item.name ?? derivedName(item.type).flatMap(namer.lowerCamel) ?? "choice"
            var (name, number) = (base, 2)
            while !taken.insert(name).inserted {
                name = "\(base)\(number)"
                number += 1
            }
            item.name = name
            return item
        }
    }

    private func derivedName(_ type: DraftType) -> String? {
        switch type.form {
        case .named(let name): name
        case .list: "list"
        case .map: "map"
        case .object(let object): constantName(object) ?? "object"
        case .enumeration: "choice"
        case .union: "object"
        case .constant: nil
        }
    }

    /// The first constant of an inline object.
    private func constantName(_ object: DraftObject) -> String? {
        for field in object.fields {
            if case .constant(.text(let text)) = field.type.form { return text }
        }
        return nil
    }
}
