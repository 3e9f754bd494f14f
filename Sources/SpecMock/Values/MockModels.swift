import SpecIR

/// The models of an API by name, and how deep the smallest value of each is, by which values of
/// models that contain themselves come to an end.
struct MockModels: Sendable {
    let byName: [String: Model]
    let heights: [String: Int]

    init(_ api: API) {
        let models = api.groups.flatMap(\.models).byName
        var heights: [String: Int] = [:]
        // A model is one level higher than the highest part that it needs.
        for _ in 0...models.count {
            let before = heights
            for (name, model) in models { heights[name] = Self.height(of: model, before) }
            if heights == before { break }
        }
        byName = models
        self.heights = heights
    }

    /// The fields of a value; nil for one that is no object.
    func fields(of value: Value) -> [Field]? {
        guard case .object(let name) = value.type, case .object(let fields)? = byName[name]?.kind
        else { return nil }
        return fields
    }

    private static let endless = 1000

    private static func height(of model: Model, _ known: [String: Int]) -> Int {
        switch model.kind {
        case .enumeration: 0
        case .object(let fields):
            1 + (fields.filter(\.isRequired).map { height(of: $0.value, known) }.max() ?? 0)
        case .union(let union):
            1 + (union.cases.map { height(of: $0.value, known) }.min() ?? 0)
        }
    }

    /// The number of models inside of one another that the smallest value has.
    static func height(of value: Value, _ known: [String: Int]) -> Int {
        if value.isNullable { return 0 }
        switch value.type {
        case .object(let name), .union(let name): return min(known[name] ?? endless, endless)
        case .list(let element):
            return value.rules.count(of: .minItems) ?? 0 > 0 ? height(of: element, known) : 0
        default: return 0
        }
    }
}
