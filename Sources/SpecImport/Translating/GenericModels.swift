import SpecSemantics

/// Declares a generic model where models differ in the type of one field alone. Each of them becomes a
/// name of its use, and keeps its Swift type.
struct GenericModels {
    /// The fewest models for which a generic one is worth its declaration.
    private static let fewest = 3

    /// A model of a shape.
    private struct Use {
        var group: Int
        var model: Int
        /// The type by which it differs from the others.
        var argument: String
    }

    /// Names that no further model can have.
    private var taken: Set<String>
    /// The models that are uses of a generic one.
    private var done: Set<String> = []

    private init(taken: Set<String>) { self.taken = taken }

    static func declare(in draft: inout SpecDraft, taken: Set<String>) {
        let names = Set(draft.groups.flatMap(\.models).map(\.name))
        var generics = GenericModels(taken: taken.union(names).union(ReservedNames.types))
        guard let parameter = ["Item", "Element", "Value"].first(where: generics.isFree) else {
            return
        }
        for (shape, uses) in shapes(of: draft, parameter) {
            generics.declare(shape, parameter, for: uses, in: &draft)
        }
    }

    /// The shapes that models have, in the order of the models, with the first model for each argument.
    private static func shapes(
        of draft: SpecDraft, _ parameter: String
    ) -> [(shape: DraftType, uses: [Use])] {
        let lent = Set(draft.groups.flatMap(\.models).flatMap(\.type.mixins))
        var order: [DraftType] = []
        var uses: [DraftType: [Use]] = [:]
        for (group, content) in draft.groups.enumerated() {
            for (index, model) in content.models.enumerated() where !lent.contains(model.name) {
                for (shape, argument) in model.type.shapes(parameter) where argument != model.name {
                    let known = uses[shape] ?? []
                    if known.isEmpty { order.append(shape) }
                    if known.contains(where: { $0.argument == argument }) { continue }
                    uses[shape] = known + [Use(group: group, model: index, argument: argument)]
                }
            }
        }
        return order.map { ($0, uses[$0] ?? []) }
    }

    /// Declares a generic model and replaces the models of its shape, if that is shorter.
    private mutating func declare(
        _ shape: DraftType, _ parameter: String, for uses: [Use], in draft: inout SpecDraft
    ) {
        let models = uses.map { draft.groups[$0.group].models[$0.model] }
        // A model of several shapes is a use of the first one alone.
        let open = zip(uses, models).filter { !done.contains($1.name) }
        guard open.count >= Self.fewest, let name = name(for: open.map(\.1.name)) else { return }
        let generic = DraftModel("\(name)<\(parameter)>", shape)
        let new = open.map { DraftModel($1.name, .named("\(name)<\($0.argument)>")) }
        let size = SpecDraftWriter.size(of: new + [generic])
        guard size < SpecDraftWriter.size(of: open.map(\.1)) else { return }
        for ((use, _), model) in zip(open, new) {
            draft.groups[use.group].models[use.model] = model
            done.insert(model.name)
        }
        draft.groups[open[0].0.group].models.append(generic)
        taken.insert(name)
    }

    private func isFree(_ name: String) -> Bool { !taken.contains(name) }

    /// The words that names begin and end with; nil if there are none, or they are taken.
    private func name(for names: [String]) -> String? {
        let words = names.map { $0.split(before: \.isUppercase) }
        let fewest = words.map(\.count).min() ?? 0
        func common(_ lists: [[String]]) -> [String] {
            (0..<fewest).prefix { index in lists.allSatisfy { $0[index] == lists[0][index] } }
                .map { lists[0][$0] }
        }
        let start = common(words)
        let end = common(words.map { $0.dropFirst(start.count).reversed() }).reversed()
        let name = (start + end).joined()
        return name.isEmpty ? nil : [name, name + "Of"].first(where: isFree)
    }
}

extension DraftType {
    /// The models whose fields it has, too.
    fileprivate var mixins: [String] {
        if case .object(let object) = form { object.mixins } else { [] }
    }

    /// The object with a type parameter in place of the type of one of its fields, and that type; for
    /// each field that has one. Types that are declared inside it would get other names.
    fileprivate func shapes(_ parameter: String) -> [(shape: DraftType, argument: String)] {
        // Large objects are seldom alike, and have a shape for each field.
        guard case .object(let object) = form, 2...50 ~= object.fields.count, !isOptional,
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
