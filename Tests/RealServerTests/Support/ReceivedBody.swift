import TelexJSON

/// A body as the Flask app received it.
struct ReceivedBody: JSONReadable, Equatable, Sendable {
    /// `Content-Length` and `Transfer-Encoding`, if present.
    var declared: String?
    var coding: String?
    /// The file name and the title in a form.
    var name: String?
    var title: String?

    private static let keys = JSONKeys(
        required: [], optional: ["declared", "coding", "name", "title"],
        nullable: ["declared", "coding"], sensitive: [])

    static func read(from json: inout JSONReader) -> ReceivedBody? {
        var arrival = ReceivedBody()
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&arrival.declared)
            case 1: json.string(&arrival.coding)
            case 2: json.string(&arrival.name)
            default: json.string(&arrival.title)
            }
        }
        return json.endObject() ? arrival : nil
    }
}
