import SpecIR

extension Group {
    /// Groups, each of a file, that share the declarations of this one: the methods and the first
    /// models are in the first, and the further models follow in order.
    ///
    /// - Parameter count: The number of files, which is fixed before the spec is read. A file may
    ///   stay without a declaration.
    func parts(_ count: Int) -> [Group] {
        if count <= 1 { return [self] }
        var rest = self
        (rest.methods, rest.models, rest.capabilities) = ([], [], [])
        var parts = Array(repeating: rest, count: count)
        (parts[0].methods, parts[0].capabilities) = (methods, capabilities)
        for index in 1..<count {
            parts[index].fileName = OutputName.file(fileName, part: index + 1)
        }
        var before = methods.map(\.weight).reduce(0, +)
        let whole = before + models.map(\.weight).reduce(0, +)
        for model in models {
            let middle = before + model.weight / 2
            parts[min(middle * count / max(whole, 1), count - 1)].models.append(model)
            before += model.weight
        }
        return parts
    }
}

extension Method {
    /// About how many lines its code has.
    fileprivate var weight: Int { 20 + 3 * parameters.count }
}

extension Model {
    /// About how many lines its code has.
    fileprivate var weight: Int {
        let own =
            switch kind {
            case .object(let fields): 30 + 9 * fields.count
            case .enumeration(let enumeration): 20 + 3 * enumeration.cases.count
            case .union(let union): 30 + 6 * union.cases.count
            }
        return nested.map(\.weight).reduce(own, +)
    }
}
