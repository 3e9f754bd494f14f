import TelexJSON

/// The calls that most of generated code makes, without the arguments that are rarely given and for
/// the types that are common.
///
/// Debug builds of generated code are made of such calls. A default argument is evaluated wherever
/// it is left out, and a generic call passes a type, a conformance and the address of a copy: both
/// are more code than the call itself.
extension RequestBuilder {
    // MARK: Query

    /// Adds a query parameter.
    public mutating func query<V: ParameterValue>(_ name: StaticString, _ value: V?) {
        query(name, value, sensitive: false)
    }

    /// Adds a query parameter.
    public mutating func query(_ name: StaticString, _ value: String?) {
        query(name, value, sensitive: false)
    }

    /// Adds a query parameter.
    public mutating func query(_ name: StaticString, _ value: Int?) {
        query(name, value, sensitive: false)
    }

    /// Adds a query parameter that is an enumeration's case; one that is not known is a violation.
    public mutating func query<V: OpenEnum>(_ name: StaticString, known value: V?) {
        query(name, value, sensitive: false)
        known(value)
    }

    /// Adds a query parameter that is a list, whose items are sent with a separator between two.
    public mutating func query<V: ParameterValue>(
        _ name: StaticString, _ values: [V]?, joinedBy separator: StaticString
    ) {
        query(name, values, list: .joined(separator.description), sensitive: false)
    }

    /// Adds a query parameter that is a list and has to be there.
    public mutating func query<V: ParameterValue>(
        _ name: StaticString, _ values: [V], joinedBy separator: StaticString
    ) {
        query(name, values, list: .joined(separator.description), sensitive: false)
    }

    // MARK: Other places

    /// Adds a header field.
    public mutating func header<V: ParameterValue>(_ name: StaticString, _ value: V?) {
        header(name, value, sensitive: false)
    }

    /// Gives a path parameter its value.
    public mutating func path<V: ParameterValue>(_ name: StaticString, _ value: V?) {
        path(name, value, sensitive: false)
    }

    /// Gives a path parameter its value.
    public mutating func path(_ name: StaticString, _ value: String?) {
        path(name, value, sensitive: false)
    }

    /// Gives a path parameter its value.
    public mutating func path(_ name: StaticString, _ value: Int?) {
        path(name, value, sensitive: false)
    }

    /// Adds a field to the form in the body.
    public mutating func form<V: ParameterValue>(_ name: StaticString, _ value: V?) {
        form(name, value, sensitive: false)
    }

    /// Adds a field to the form in the body.
    public mutating func form(_ name: StaticString, _ value: String?) {
        form(name, value, sensitive: false)
    }

    /// Adds a field to the form in the body.
    public mutating func form(_ name: StaticString, _ value: Int?) {
        form(name, value, sensitive: false)
    }

    /// Adds a field to a `multipart/form-data` body.
    public mutating func part<V: ParameterValue>(_ name: StaticString, _ value: V?) {
        part(name, value, sensitive: false)
    }
}
