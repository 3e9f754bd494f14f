import SpecSemantics
import SpecSyntax

/// Alternatives of a value: told apart by their kinds of JSON, by constants, or by required keys.
extension TypeTranslator {
    private struct Alternative {
        var schema: SchemaDescription
        /// The alternative without what stands beside it.
        var source: SchemaDescription
        var facts: SchemaFacts
        var object: FlatObject { facts.object ?? FlatObject() }
        /// The name of the schema, or its title.
        var name: String? { source.reference?.name ?? source.parts.title }
    }

    /// Alternatives that nothing else stands beside.
    func union(of schemas: [SchemaDescription], _ owner: SchemaDescription) -> DraftType {
        let all = schemas.map { SchemaChoice.Alternative(schema: $0, source: $0) }
        return union(SchemaChoice(alternatives: all), of: owner)
    }

    func union(_ choice: SchemaChoice, of owner: SchemaDescription) -> DraftType {
        var seen: Set<String> = []
        let members = choice.alternatives.filter { item in
            item.source.reference.map { seen.insert($0.key).inserted } ?? true
        }
        var type = distinct(
            members.map { item in
                Alternative(
                    schema: item.schema, source: item.source, facts: schemas.facts(item.schema))
            }, owner: owner, tag: choice.tag)
        let isNullable =
            schemas.isNullable(owner) || members.contains { schemas.isNullable($0.schema) }
        if isNullable, type.bare != .json { type.isNullable = true }
        return type
    }

    private func distinct(
        _ members: [Alternative], owner: SchemaDescription, tag: SchemaTag?
    ) -> DraftType {
        if members.count == 1 { return type(members[0].schema) }
        let isUnclear = members.contains { $0.facts.shapes.count != 1 || $0.facts.shapes == [.any] }
        if members.isEmpty || isUnclear {
            lose(.indistinct, "any value among them", at: owner.span)
            return .json
        }
        let groups = Dictionary(grouping: members) { $0.facts.shapes.first ?? .any }
        var types: [DraftUnion.Alternative] = []
        for shape in [SchemaFacts.Shape.object, .array, .string, .number, .boolean] {
            guard let group = groups[shape] else { continue }
            if shape == .object, group.count > 1 {
                guard let objects = self.objects(group, owner: owner, tag: tag) else {
                    return .json
                }
                if groups.count == 1, objects.alternatives.count > 1 || objects.tag != nil {
                    return DraftType(.union(objects))
                }
                if objects.tag == nil {
                    types += objects.alternatives
                } else {
                    types.append(.init(name: "object", type: DraftType(.union(objects))))
                }
            } else {
                types.append(.init(name: nil, type: merged(group, shape: shape, owner: owner).bare))
            }
        }
        if types.count == 1 { return types[0].type }
        return DraftType(.union(DraftUnion(alternatives: named(types))))
    }

    /// One type for alternatives of one kind of JSON that is not an object.
    private func merged(
        _ group: [Alternative], shape: SchemaFacts.Shape, owner: SchemaDescription
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
            return .list(items.isEmpty ? .json : union(of: items, owner).bare)
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

    private func objects(
        _ group: [Alternative], owner: SchemaDescription, tag: SchemaTag?
    ) -> DraftUnion? {
        guard group.allSatisfy({ $0.facts.object != nil }) else {
            lose(.indistinct, "an object with any keys among them", at: owner.span)
            return nil
        }
        if let tagged = tagged(group, owner: owner, tag: tag) { return tagged }
        if isToldApartByKeys(group) { return untagged(group) }
        let names = group.map { $0.name ?? "object" }
        guard group.count <= Self.mostMerged else {
            lose(.indistinct, names.joined(separator: ", "), at: owner.span)
            return nil
        }
        lose(.joined, names.joined(separator: ", "), at: owner.span)
        let merged = schemas.made.schema(of: group.map(\.schema), for: "anyOf") {
            schemas.merged(group.map(\.object), at: owner.node)
        }
        let type = type(merged)
        return DraftUnion(alternatives: [.init(name: nil, type: type)])
    }

    /// More objects than these do not become one with the fields of all.
    private static let mostMerged = 10

    private func untagged(_ group: [Alternative]) -> DraftUnion {
        let types = group.map { DraftUnion.Alternative(name: nil, type: element($0.schema).bare) }
        return DraftUnion(alternatives: named(types))
    }

    // MARK: Tags

    /// A union whose alternatives a key tells apart: that of the discriminator, by constants or else by
    /// its mapping, or another one that has constants in each of them.
    private func tagged(
        _ group: [Alternative], owner: SchemaDescription, tag: SchemaTag?
    ) -> DraftUnion? {
        let wanted = tag.flatMap { constants(of: $0.key, in: group) }
        if let tag, let wanted, Self.areDistinct(wanted) {
            return union(group, key: tag.key, found: wanted, isWanted: true, owner: owner)
        }
        if let tag, let mapped = mapped(group, by: tag) { return mapped }
        if let tag, let wanted {
            return union(group, key: tag.key, found: wanted, isWanted: true, owner: owner)
        }
        var best: (key: String, found: [Constants])?
        for key in group[0].object.properties.map(\.name) {
            guard let found = constants(of: key, in: group),
                Self.score(found) > Self.score(best?.found ?? [])
            else { continue }
            best = (key, found)
        }
        return best.flatMap {
            union(group, key: $0.key, found: $0.found, isWanted: false, owner: owner)
        }
    }

    /// The constants that a key has in each of the objects, not everywhere the same.
    private func constants(of key: String, in group: [Alternative]) -> [Constants]? {
        let found = group.compactMap { schemas.constants(of: key, in: $0.object) }
        let isUsable =
            found.count == group.count && Set(found.map(\.areIntegers)).count == 1
            && Set(found.flatMap(\.texts)).count > 1
        return isUsable ? found : nil
    }

    private static func areDistinct(_ found: [Constants]) -> Bool {
        let texts = found.flatMap(\.texts)
        return Set(texts).count == texts.count
    }

    /// How well constants tell alternatives apart.
    private static func score(_ found: [Constants]) -> Int {
        if found.isEmpty { return -1 }
        let texts = Set(found.flatMap(\.texts))
        return texts.count + (areDistinct(found) ? 1_000 : 0)
            + (found.allSatisfy(\.isRequired) ? 500 : 0)
    }

    private func union(
        _ group: [Alternative], key: String, found: [Constants], isWanted: Bool,
        owner: SchemaDescription
    ) -> DraftUnion? {
        let isDistinct = Self.areDistinct(found)
        // Single constants need no tag: the compiler finds them.
        let isSimple =
            isDistinct && found.allSatisfy { $0.texts.count == 1 && $0.isRequired }
        if isSimple, !isWanted { return untagged(group) }
        if !isWanted, !isDistinct { return nil }
        for (item, constants) in zip(group, found) where !constants.isRequired {
            lose(.missingTag, key, at: item.schema.span)
        }
        var alternatives: [DraftUnion.Alternative] = []
        for part in Self.partition(zip(group, found).map { ($0, $1) }) {
            let isRequired = part.allSatisfy(\.1.isRequired)
            let type = type(ofTagged: part.map(\.0), key, isRequired: isRequired, owner)
            var seen: Set<String> = []
            for constants in part.map(\.1) {
                for tag in constants.texts where seen.insert(tag).inserted {
                    alternatives.append(alternative(tag, type: type, constants: constants))
                }
            }
        }
        return DraftUnion(
            alternatives: alternatives, tag: key, tagsAreIntegers: found[0].areIntegers)
    }

    /// The alternatives in parts that have no tag in common.
    private static func partition(
        _ members: [(Alternative, Constants)]
    ) -> [[(Alternative, Constants)]] {
        var parts: [(tags: Set<String>, members: [(Alternative, Constants)])] = []
        for member in members {
            var part = (tags: Set(member.1.texts), members: [member])
            for index in parts.indices.reversed()
            where !parts[index].tags.isDisjoint(with: part.tags) {
                part = (parts[index].tags.union(part.tags), parts[index].members + part.members)
                parts.remove(at: index)
            }
            parts.append(part)
        }
        return parts.map(\.members)
    }

    /// The model of one or several alternatives with the same tag. A tag that the description does
    /// not require is required.
    private func type(
        ofTagged members: [Alternative], _ key: String, isRequired: Bool,
        _ owner: SchemaDescription
    ) -> DraftType {
        if members.count == 1 { return type(ofTagged: members[0], key, isRequired: isRequired) }
        let names = members.map { $0.name ?? "Object" }
        lose(.joined, names.joined(separator: ", "), at: owner.span)
        let merged = schemas.made.schema(of: members.map(\.schema), for: "anyOf by " + key) {
            schemas.merged(members.map { requiring(key, $0.object) }, at: owner.node)
        }
        let name =
            members.count == 2
            ? names[0] + "Or" + (namer.upperCamel(names[1]) ?? "Other") : names[0] + "OrOther"
        return .named(declare(merged, named: name))
    }

    /// The model of one alternative.
    private func type(ofTagged item: Alternative, _ key: String, isRequired: Bool) -> DraftType {
        if let reference = item.schema.reference {
            let name = name(of: reference)
            if !isRequired { requiredTags.append((name, key)) }
            return .named(name)
        }
        let isAlone = item.schema === item.source
        let schema =
            isAlone
            ? schemas.made.schema(of: [item.schema], for: "required " + key) {
                schemas.merged([requiring(key, item.object)], at: item.schema.node)
            } : item.schema
        let own = item.name.flatMap(namer.upperCamel)
        let name = declare(
            schema, named: isAlone ? own ?? key : (path.last ?? modelName) + "_" + (own ?? key))
        if !isAlone, !isRequired { requiredTags.append((name, key)) }
        return .named(name)
    }

    private func requiring(_ key: String, _ object: FlatObject) -> FlatObject {
        var object = object
        object.required.insert(key)
        return object
    }

    private func alternative(
        _ tag: String, type: DraftType, constants: Constants
    ) -> DraftUnion.Alternative {
        var type = type
        if let name = constants.names[tag].flatMap(namer.lowerCamel), name != namer.lowerCamel(tag)
        {
            type.setSwift("name", name)
        }
        return .init(name: tag, type: type)
    }

    /// A union by the mapping of its discriminator, or by the names of the schemas.
    private func mapped(_ group: [Alternative], by tag: SchemaTag) -> DraftUnion? {
        guard group.allSatisfy({ mayBeTagged($0.object, by: tag.key) }) else { return nil }
        let tags = group.map { schemas.values(of: tag, for: $0.source) }
        let all = tags.flatMap(\.self)
        let fit = zip(group, tags).allSatisfy { item, own in
            let possible = schemas.constants(of: tag.key, in: item.object)?.texts
            return !own.isEmpty && own.allSatisfy { possible?.contains($0) ?? true }
        }
        guard fit, Set(all).count == all.count else { return nil }
        let alternatives = zip(group, tags).flatMap { item, own in
            let isRequired = isAlways(tag.key, in: item.object, at: item.schema)
            let type = type(ofTagged: item, tag.key, isRequired: isRequired)
            return own.map { DraftUnion.Alternative(name: $0, type: type) }
        }
        return DraftUnion(alternatives: alternatives, tag: tag.key)
    }

    /// Whether an object has the tag as a text, or leaves it to the union.
    func mayBeTagged(_ object: FlatObject, by key: String) -> Bool {
        guard let property = object[key] else {
            if case .schema = object.furtherKeys { return false }
            return true
        }
        return schemas.facts(property).shapes == [.string]
            && schemas.target(property)?.parts.format == nil
    }

    /// Whether the tag of an object needs no correction: it is required, or the union writes it.
    /// Reports a tag that may be missing.
    func isAlways(
        _ key: String, in object: FlatObject, at schema: SchemaDescription
    ) -> Bool {
        guard let property = object[key] else { return true }
        let isAlways = object.required.contains(key) && !schemas.isNullable(property)
        if !isAlways { lose(.missingTag, key, at: schema.span) }
        return isAlways
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
        let isApart =
            Set(derived.compactMap { $0.flatMap(namer.lowerCamel) }).count == derived.count
        if isApart, !alternatives.contains(where: { $0.name != nil || $0.type.isDeclaration }) {
            return alternatives
        }
        var taken: Set<String> = []
        return alternatives.map { item in
            var item = item
            let base = item.name ?? derivedName(item.type).flatMap(namer.lowerCamel) ?? "choice"
            item.name = base.unique { taken.insert($0).inserted }
            return item
        }
    }

    private func derivedName(_ type: DraftType) -> String? {
        switch type.form {
        case .named(let name): name
        case .list: "list"
        case .map: "map"
        case .object(let object): constantName(object) ?? "object"
        case .enumeration(let choice):
            choice.values.count == 1 ? choice.values[0].name ?? choice.values[0].value : "choice"
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
