/// Reads models whose fields are the elements of an array, in their order.
extension JSONReader {
    /// Enters an array whose elements are the fields of a model, for generated code. Reading goes on
    /// with ``nextField()`` and ``endObject()``, as for an object. Elements behind the last field are
    /// skipped.
    ///
    /// - Parameters:
    ///   - required: The names of the first fields, separated by spaces.
    ///   - optional: The names of the fields behind them, which may be missing.
    public mutating func enterArray(required: StaticString, optional: StaticString) {
        enterArray(JSONKeyLiterals(required: required, optional: optional))
    }

    /// Enters an array whose elements are the fields of a model; see ``enterArray(required:optional:)``.
    ///
    /// - Parameters:
    ///   - nullable: Names of fields that may be null; the reader then consumes the null.
    ///   - sensitive: Names of fields whose values never appear in violations.
    ///   - unknown: What happens to further elements; `.refused` makes one a violation.
    public mutating func enterArray(
        required: StaticString, optional: StaticString, nullable: StaticString,
        sensitive: StaticString, unknown: JSONUnknownKeys = .skipped
    ) {
        enterArray(
            JSONKeyLiterals(
                required: required, optional: optional, nullable: nullable, sensitive: sensitive,
                unknown: unknown))
    }

    /// Enters an array whose elements are the fields of a model; see ``enterArray(required:optional:)``.
    public mutating func enterArray(_ keys: JSONKeys) {
        if enterPlaces() { setPlaces(shape(keys.table)) }
    }

    private mutating func enterArray(_ keys: JSONKeyLiterals) {
        if enterPlaces() { setPlaces(shape(keys)) }
    }

    private mutating func enterPlaces() -> Bool {
        guard beginList() else {
            enterMissingObject()
            return false
        }
        top.pointee.isPositional = true
        return true
    }

    private mutating func setPlaces(_ shape: UnsafeMutablePointer<JSONShape>) {
        setShape(shape)
        // No key is expected.
        top.pointee.entry = nil
    }

    /// Moves to the next element that a model has a field for.
    mutating func nextPlace() -> Int? {
        guard let shape = top.pointee.shape else { return nil }
        while nextElement() {
            let field = top.pointee.index
            guard field < shape.pointee.fields else {
                let isFirst = field == shape.pointee.fields
                if isFirst, shape.pointee.unknown == .refused { reportUnknown(place: field) }
                continue
            }
            _ = top.pointee.see(field)
            if shape.pointee.entry(field).pointee.isNullable, isNull() { continue }
            return field
        }
        return nil
    }
}
