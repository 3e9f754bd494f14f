import SpecDiagnostics

/// The fields of an object, and of all alternatives that it has.
struct FormContent {
    private(set) var flat = FlatObject()
    /// The names of the alternatives whose fields it has.
    private(set) var alternatives: [String] = []
    /// Where it requires one of several keys.
    private(set) var choices: [Span] = []

    private let schemas: SchemaReader
    /// The objects that are known, each read once; nil while one is being read.
    private var known: [ObjectIdentifier: FlatObject?] = [:]

    init(_ schema: SchemaDescription, _ schemas: SchemaReader) {
        self.schemas = schemas
        flat = object(schema) ?? FlatObject()
        flat.hasOthers = flat.properties.isEmpty && schemas.facts(schema).shapes != [.object]
    }

    /// An object with the fields of its alternatives; nil if it is among those that are being read,
    /// because unions may refer to each other in circles.
    private mutating func object(_ schema: SchemaDescription) -> FlatObject? {
        guard let target = schemas.target(schema) else { return nil }
        let identity = ObjectIdentifier(target)
        if let flat = known[identity] { return flat }
        known[identity] = .some(nil)
        var flat = schemas.flat(target)
        if let all = target.parts.alternatives {
            let objects = all.filter { !$0.isOnlyRequired }
            if objects.count < all.count { choices.append(target.span) }
            for item in objects {
                let name = item.reference?.name ?? item.parts.title ?? "object"
                if item.reference == nil || !alternatives.contains(name) {
                    alternatives.append(name)
                }
            }
            add(objects.compactMap { self.object($0) }, at: target, to: &flat)
        }
        // The fields of members are known, but not those of their alternatives.
        for member in target.parts.all {
            if let inner = object(member) { add([inner], at: target, to: &flat) }
        }
        known[identity] = flat
        return flat
    }

    /// Adds the fields that an object does not have itself. What all alternatives require is required.
    private func add(
        _ objects: [FlatObject], at owner: SchemaDescription, to flat: inout FlatObject
    ) {
        let merged = schemas.merged(objects, at: owner.node).parts
        flat.properties += merged.properties.filter { flat[$0.name] == nil }
        flat.required.formUnion(merged.required)
    }
}
