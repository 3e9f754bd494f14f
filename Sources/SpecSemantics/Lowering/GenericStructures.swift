import SpecIR
import SpecSyntax

/// Finds the instances of generic models that Swift can have as instances of one generic structure:
/// their readers and writers differ in nothing but the name of a model.
struct GenericStructures {
    private struct Structure {
        let model: Model
        var uses: [(group: Int, index: Int, argument: String)] = []
    }

    private let symbols: SymbolTable
    /// The type names of the module.
    private let taken: Set<String>

    init(_ spec: ResolvedSpec) {
        (symbols, taken) = (spec.symbols, spec.moduleTypes)
    }

    /// Gives the models their structures. A model without another one that is the same but for its
    /// argument stays a type of its own.
    func apply(to groups: inout [Group]) {
        // A generic model has several structures if its uses differ in more than the argument.
        var structures: [String: [Structure]] = [:]
        for (group, models) in groups.map(\.models).enumerated() {
            for (index, model) in models.enumerated() {
                guard let (structure, argument) = structure(of: model) else { continue }
                var known = structures[structure.name] ?? []
                let place = known.firstIndex { $0.model == structure } ?? known.endIndex
                if place == known.endIndex { known.append(Structure(model: structure)) }
                known[place].uses.append((group, index, argument))
                structures[structure.name] = known
            }
        }
        for known in structures.values {
            // The name is that of the one with the most uses, or of the first of these.
            let most = known.map(\.uses.count).max()
            guard let structure = known.first(where: { $0.uses.count == most && most != 1 })
            else { continue }
            for (number, use) in structure.uses.enumerated() {
                groups[use.group].models[use.index].generic = GenericUse(
                    structure: structure.model.name, argument: use.argument,
                    declaration: number == 0 ? [structure.model] : [])
            }
        }
    }

    /// The generic structure of a model, and the Swift name of the argument.
    private func structure(of model: Model) -> (Model, argument: String)? {
        guard case .object(var fields) = model.kind, model.nested.isEmpty, model.joins.isEmpty,
            model.rules.isEmpty, model.conformances.isEmpty,
            let instance = symbols.models[model.apiName]?.syntax.instance,
            let argument = symbols.models[instance.argument],
            argument.kind == .object || argument.kind == .union,
            isFree(instance.model), isFree(instance.parameter),
            fields.contains(where: { $0.value.type.models.contains(argument.swiftName) })
        else { return nil }
        let names = [
            argument.swiftName: instance.parameter, model.qualifiedName: instance.model,
        ]
        for index in fields.indices {
            guard fields[index].value.rename(names), fields[index].defaultValue?.isMap != true
            else { return nil }
        }
        var structure = model
        structure.apiName = instance.model
        structure.name = instance.model
        structure.qualifiedName = instance.model
        structure.kind = .object(fields)
        structure.parameter = instance.parameter
        return (structure, argument.swiftName)
    }

    private func isFree(_ name: String) -> Bool {
        SwiftNamer.isIdentifier(name) && name.first?.isUppercase == true && !taken.contains(name)
            && !ReservedNames.types.contains(name)
    }
}

extension Value {
    /// Gives the models in it other names; false if a rule depends on what these are. An object and a
    /// union are the same to what contains them.
    fileprivate mutating func rename(_ names: [String: String]) -> Bool {
        let old = type
        var isPossible = true
        switch type {
        case .object(let name), .union(let name):
            if let new = names[name] { type = .object(new) }
        case .list(var element):
            isPossible = element.rename(names)
            type = .list(element)
        case .map(let key, var element):
            isPossible = element.rename(names)
            type = .map(key, element)
        default: break
        }
        return isPossible && (type == old || rules.allSatisfy(\.isCount))
    }
}

extension Rule {
    /// Whether it only counts elements.
    fileprivate var isCount: Bool { if case .count = argument { true } else { false } }
}

extension Literal {
    /// Whether it is an object or a map.
    fileprivate var isMap: Bool { if case .map = self { true } else { false } }
}
