import TelexJSON

/// Values whose names are known only at run time, in the order of their names.
extension RequestBuilder {
    /// Adds query parameters; otherwise like ``query(_:_:list:booleans:orCredential:sensitive:)``.
    public mutating func query(_ values: Properties, list: ListStyle = .repeated) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            query(name, value, list: list)
        }
    }

    /// Adds fields of a form, or parts if the body is multipart; otherwise like
    /// ``form(_:_:list:booleans:orCredential:sensitive:)``.
    public mutating func form(_ values: Properties, list: ListStyle = .repeated) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            form(name, value, list: list)
        }
    }

    /// Uses a JSON object as the body.
    public mutating func json(_ values: Properties) { json { $0.value(values) } }
}
