import TelexJSON

/// The calls that most of generated code makes, without the arguments that are rarely given.
///
/// A default argument is evaluated wherever it is left out: in a debug build, the four of
/// ``RequestBuilder/query(_:_:list:booleans:orCredential:sensitive:)`` are half the size of a call.
extension RequestBuilder {
    /// Adds a query parameter.
    public mutating func query<V: ParameterValue>(_ name: String, _ value: V?) {
        query(name, value, sensitive: false)
    }

    /// Adds a header field.
    public mutating func header<V: ParameterValue>(_ name: String, _ value: V?) {
        header(name, value, sensitive: false)
    }

    /// Gives a path parameter its value.
    public mutating func path<V: ParameterValue>(_ name: String, _ value: V?) {
        path(name, value, sensitive: false)
    }

    /// Adds a field to the form in the body.
    public mutating func form<V: ParameterValue>(_ name: String, _ value: V?) {
        form(name, value, sensitive: false)
    }

    /// Adds a field to a `multipart/form-data` body.
    public mutating func part<V: ParameterValue>(_ name: String, _ value: V?) {
        part(name, value, sensitive: false)
    }

    /// Adds a query parameter that is a list.
    public mutating func query<V: ParameterValue>(
        _ name: String, _ value: V?, list: ListStyle
    ) {
        query(name, value, list: list, sensitive: false)
    }
}
