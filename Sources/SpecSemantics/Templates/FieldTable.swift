import SpecIR

/// The fields of a model by their keys, so that an object is compared with them in one pass.
struct FieldTable {
    /// The fields that an object must have.
    let required: [Field]
    /// The type of further keys; nil if there is none.
    let additional: Value?
    /// The fields of the object itself.
    private var own: [String: Field] = [:]
    /// The fields of objects inside, by the first step to them.
    private var inner: [String: [Field]] = [:]

    init(_ fields: [Field]) {
        required = fields.filter { $0.isRequired && !$0.isAdditional }
        additional =
            fields.lazy.filter(\.isAdditional).compactMap { field in
                if case .map(_, let value) = field.value.type { value } else { nil }
            }.first
        for field in fields where !field.isAdditional {
            if let first = field.steps.first {
                inner[first, default: []].append(field)
            } else {
                own[field.key] = field
            }
        }
    }

    func field(_ key: String) -> Field? { own[key] }

    func fields(inside key: String) -> [Field] { inner[key] ?? [] }

    /// All keys of the object.
    var keys: [String] { own.keys.sorted() + inner.keys.sorted() }
}
