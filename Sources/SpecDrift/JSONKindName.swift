/// A kind of JSON in a violation.
enum JSONKindName: String, Hashable {
    case null, bool, integer, number, string, array, object

    /// The kind of what a violation of a type has found.
    init(ofFound found: String) {
        switch found {
        case "null": self = .null
        case "true", "false": self = .bool
        case "an object": self = .object
        case "an array": self = .array
        default:
            guard Double(found) != nil else {
                self = .string
                return
            }
            self = found.contains { ".eE".contains($0) } ? .number : .integer
        }
    }
}
