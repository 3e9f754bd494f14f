import SpecSemantics

/// Declares a generic model where models, or replies without a name, differ in the type of one
/// field alone. Each model becomes a name of its use, and keeps its Swift type.
struct GenericModels {
    /// The fewest models and replies for which a generic one is worth its declaration.
    private static let fewest = 3

    /// A model or a reply of a shape.
    private struct Use {
        var group: String
        var place: WritableKeyPath<SpecDraft, DraftType>
        /// The name of the model; nil for a reply.
        var name: String?
        var type: DraftType
        /// The type by which it differs from the others.
        var argument = ""

        /// The use as an entry of a file, with a type.
        func entry(_ type: DraftType) -> DraftEntry { DraftEntry(name ?? "returns", type.value) }
    }

    private let parameter: String
    private let namer = SwiftNamer()
    /// Names that no further model can have.
    private var taken: Set<String>

    static func declare(in draft: inout SpecDraft, taken: Set<String>, sharing shared: String) {
        let names = Set(draft.groups.flatMap(\.models).map(\.name))
        let taken = taken.union(names).union(ReservedNames.types)
        guard let parameter = parameters.first(where: { !taken.contains($0) }) else { return }
        var generics = GenericModels(parameter: parameter, taken: taken)
        for (shape, uses) in shapes(of: draft, parameter) {
            generics.declare(shape, for: uses, in: &draft, sharing: shared)
        }
    }

    /// The replies without a name that may become uses of a generic model.
    static func replies(in draft: SpecDraft) -> Set<DraftType.Form> {
        let all = shapes(of: draft, parameters[0]).filter { isGeneric($0.uses, $0.shape) }
        return Set(all.flatMap(\.uses).filter { $0.name == nil }.map(\.type.form))
    }

    private static let parameters = ["Item", "Element", "Value"]

    /// Whether enough uses differ. An object with one field is nearly as short as its name.
    private static func isGeneric(_ uses: [Use], _ shape: DraftType) -> Bool {
        let arguments = Set(uses.map(\.argument)).count
        return uses.count >= fewest && arguments > (shape.fields.count > 1 ? 1 : 2)
    }

    // MARK: Shapes

    /// The shapes that models and replies have, first those of most, with a model for each
    /// argument.
    private static func shapes(
        of draft: SpecDraft, _ parameter: String
    ) -> [(shape: DraftType, uses: [Use])] {
        let models = draft.groups.flatMap(\.models) + draft.unplaced
        let lent = Set(models.flatMap(\.type.mixins))
        var uses: [DraftType: [Use]] = [:]
        for var use in all(in: draft) where use.name.map(lent.contains) != true {
            // A model with one field would be no shorter.
            guard use.name == nil || use.type.fields.count > 1 else { continue }
            for (shape, argument) in use.type.shapes(parameter) where argument != use.name {
                use.argument = argument
                let isKnown = uses[shape]?.contains {
                    use.name != nil && $0.name != nil && $0.argument == argument
                }
                if isKnown != true { uses[shape, default: []].append(use) }
            }
        }
        let sorted = uses.map { (shape: $0, uses: $1, text: SpecDraftWriter.line($0)) }.sorted {
            ($1.uses.count, $0.text) < ($0.uses.count, $1.text)
        }
        return sorted.map { ($0.shape, $0.uses) }
    }

    /// The models, by name, and the replies of each group.
    private static func all(in draft: SpecDraft) -> [Use] {
        draft.groups.indices.flatMap { number -> [Use] in
            let group = draft.groups[number]
            let models = group.models.indices.map { index in
                let model = group.models[index]
                return Use(
                    group: group.name, place: \.groups[number].models[index].type,
                    name: model.name, type: model.type)
            }
            let replies = group.methods.indices.flatMap { method in
                group.methods[method].returns.indices.map { index in
                    Use(
                        group: group.name,
                        place: \.groups[number].methods[method].returns[index].type,
                        type: group.methods[method].returns[index].type)
                }
            }
            return models.sorted { ($0.name ?? "") < ($1.name ?? "") } + replies
        }
    }

    /// Declares a generic model and replaces the models and replies of its shape, if that is
    /// shorter.
    private mutating func declare(
        _ shape: DraftType, for uses: [Use], in draft: inout SpecDraft, sharing shared: String
    ) {
        // What has several shapes is a use of the first one alone.
        let open = uses.filter { draft[keyPath: $0.place] == $0.type }
        guard Self.isGeneric(open, shape), let name = name(for: open, shape) else { return }
        let generic = DraftModel("\(name)<\(parameter)>", shape)
        let new = open.map { DraftType(.named("\(name)<\($0.argument)>"), $0.type.notes) }
        let size = SpecDraftWriter.size(
            of: zip(open, new).map { $0.entry($1) } + [generic.entry])
        // Replies would get a name each.
        let isShorter = size < SpecDraftWriter.size(of: open.map { $0.entry($0.type) })
        guard isShorter || open.allSatisfy({ $0.name == nil }) else { return }
        for (use, type) in zip(open, new) {
            draft[keyPath: use.place] = type
            if use.name == nil { taken.insert(self.use(of: name, use.argument)) }
        }
        let groups = Set(open.map(\.group))
        let hasShared = groups.count > 1 && draft.groups.contains { $0.name == shared }
        draft.declare(generic, in: hasShared ? shared : groups.min() ?? shared)
        taken.insert(name)
    }

    // MARK: Names

    /// The words that the names of models begin and end with, or what replies have; nil if all of
    /// that is taken.
    private func name(for uses: [Use], _ shape: DraftType) -> String? {
        let names = uses.compactMap(\.name)
        let common = names.isEmpty ? "" : Self.common(names)
        let replies = uses.filter { $0.name == nil }
        let wanted =
            names.isEmpty
            ? shape.pageNames(parameter) : common.isEmpty ? [] : [common, common + "Of"]
        return wanted.first { name in
            !taken.contains(name)
                && replies.allSatisfy { !taken.contains(use(of: name, $0.argument)) }
        }
    }

    /// The Swift name of a use without a name of its own.
    private func use(of name: String, _ argument: String) -> String {
        name + (namer.typeName(argument) ?? argument)
    }

    /// The words that all names begin with, and those that the rests end with.
    private static func common(_ names: [String]) -> String {
        let words = names.map { $0.split(before: \.isUppercase) }
        let start = beginning(words)
        let rests = words.map { Array($0.dropFirst(start.count).reversed()) }
        return (start + beginning(rests).reversed()).joined()
    }

    private static func beginning(_ lists: [[String]]) -> [String] {
        lists.dropFirst().reduce(lists.first ?? []) { common, list in
            zip(common, list).prefix { $0 == $1 }.map(\.0)
        }
    }
}

extension SpecDraft {
    fileprivate mutating func declare(_ model: DraftModel, in group: String) {
        for index in groups.indices where groups[index].name == group {
            groups[index].models.append(model)
        }
    }
}

extension DraftType {
    /// Notes on a use, which do not belong to the shape.
    fileprivate var notes: [DraftEntry] {
        attributes.filter { ["doc", "link", "deprecated", "example"].contains($0.key) }
    }

    /// Names for a list with what surrounds it, or after the key of the field that differs.
    fileprivate func pageNames(_ parameter: String) -> [String] {
        guard let field = fields.first(where: { $0.type.mentions.contains(parameter) }) else {
            return []
        }
        let reply = (SwiftNamer().upperCamel(field.name) ?? "") + "Reply"
        let isPage =
            field.type.form == .list(.named(parameter))
            && fields.contains { $0 != field && PageWords.areAround($0.name) }
        return isPage ? ["Page", "Paginated", reply] : [reply]
    }

    fileprivate var fields: [DraftField] {
        if case .object(let object) = form { object.fields } else { [] }
    }

    /// The models whose fields it has, too.
    fileprivate var mixins: [String] {
        if case .object(let object) = form { object.mixins } else { [] }
    }

    /// The object with a type parameter in place of the type of one of its fields, and that type;
    /// for each field that has one. Types that are declared inside it would get other names.
    fileprivate func shapes(_ parameter: String) -> [(shape: DraftType, argument: String)] {
        // Large objects are seldom alike, and have a shape for each field.
        guard case .object(let object) = form, 1...50 ~= object.fields.count, !isOptional,
            !isNullable,
            attributes["swift"] == nil,
            !(object.fields.map(\.type) + [object.additional].compactMap { $0 }).contains(
                where: \.declares)
        else { return [] }
        return object.fields.indices.compactMap { index in
            var copy = object
            guard let argument = copy.fields[index].type.replaceName(by: parameter) else {
                return nil
            }
            var shape = self
            shape.form = .object(copy)
            shape.attributes.removeAll { notes.contains($0) }
            return (shape, argument)
        }
    }

    /// Whether it declares a type, also in an element.
    private var declares: Bool {
        switch form {
        case .list(let element), .map(_, let element): element.declares
        default: isDeclaration
        }
    }

    /// Replaces the name at the end of lists and maps.
    ///
    /// - Returns: The name; nil if the type ends otherwise, or has rules or documentation.
    private mutating func replaceName(by parameter: String) -> String? {
        guard attributes.isEmpty else { return nil }
        switch form {
        case .named(let name):
            form = .named(parameter)
            return name
        case .list(var element):
            guard let name = element.replaceName(by: parameter) else { return nil }
            form = .list(element)
            return name
        case .map(let key, var value):
            guard let name = value.replaceName(by: parameter) else { return nil }
            form = .map(key: key, value: value)
            return name
        case .object, .enumeration, .union, .constant: return nil
        }
    }
}

extension String {
    /// The parts that begin where a condition holds.
    fileprivate func split(before isStart: (Character) -> Bool) -> [String] {
        reduce(into: []) { parts, letter in
            if parts.isEmpty || isStart(letter) { parts.append("") }
            parts[parts.count - 1].append(letter)
        }
    }
}
