import TelexJSON

/// Variants with few arguments for common types, as used by most generated code.
///
/// In a debug build, evaluating omitted default arguments at each call, and passing the type, the
/// conformance and the address of a copy to a generic call, take more code than the call itself.
/// They are not inlined in release builds, for the same reason.
extension RequestBuilder {
    // MARK: Query

    /// Adds a query parameter.
    @inline(never)
    public mutating func query<V: ParameterValue>(_ name: String, _ value: V?) {
        query(name, value, sensitive: false)
    }

    /// Adds a query parameter.
    @inline(never)
    public mutating func query(_ name: String, _ value: String?) {
        query(name, value, sensitive: false)
    }

    /// Adds a query parameter.
    @inline(never)
    public mutating func query(_ name: String, _ value: Int?) {
        query(name, value, sensitive: false)
    }

    /// Adds a query parameter with an enumeration case; an unknown case is a violation.
    @inline(never)
    public mutating func query<V: OpenEnum>(_ name: String, known value: V?) {
        query(name, value, sensitive: false)
        known(value)
    }

    /// Adds a query parameter with a list, whose items are joined with a separator.
    @inline(never)
    public mutating func query<V: ParameterValue>(
        _ name: String, _ values: [V]?, joinedBy separator: String
    ) {
        query(name, values, list: .joined(separator), sensitive: false)
    }

    /// Adds a query parameter with a required list.
    @inline(never)
    public mutating func query<V: ParameterValue>(
        _ name: String, _ values: [V], joinedBy separator: String
    ) {
        query(name, values, list: .joined(separator), sensitive: false)
    }

    // MARK: Other places

    /// Adds a header field.
    @inline(never)
    public mutating func header<V: ParameterValue>(_ name: String, _ value: V?) {
        header(name, value, sensitive: false)
    }

    /// Sets a path parameter.
    @inline(never)
    public mutating func path<V: ParameterValue>(_ name: String, _ value: V?) {
        path(name, value, sensitive: false)
    }

    /// Sets a path parameter.
    @inline(never)
    public mutating func path(_ name: String, _ value: String?) {
        path(name, value, sensitive: false)
    }

    /// Sets a path parameter.
    @inline(never)
    public mutating func path(_ name: String, _ value: Int?) {
        path(name, value, sensitive: false)
    }

    /// Adds a field to the form in the body.
    @inline(never)
    public mutating func form<V: ParameterValue>(_ name: String, _ value: V?) {
        form(name, value, sensitive: false)
    }

    /// Adds a field to the form in the body.
    @inline(never)
    public mutating func form(_ name: String, _ value: String?) {
        form(name, value, sensitive: false)
    }

    /// Adds a field to the form in the body.
    @inline(never)
    public mutating func form(_ name: String, _ value: Int?) {
        form(name, value, sensitive: false)
    }

    /// Adds a field to a `multipart/form-data` body.
    @inline(never)
    public mutating func part<V: ParameterValue>(_ name: String, _ value: V?) {
        part(name, value, sensitive: false)
    }

    // MARK: With a rule

    /// Adds a query parameter whose value has a rule.
    @inline(never)
    public mutating func query<V: ParameterValue & RuledValue>(
        _ name: String, _ value: V?, _ rule: V.JSONRule
    ) {
        query(name, value, sensitive: false)
        rule.check(value, with: &self)
    }

    /// Adds a header field whose value has a rule.
    @inline(never)
    public mutating func header<V: ParameterValue & RuledValue>(
        _ name: String, _ value: V?, _ rule: V.JSONRule
    ) {
        header(name, value, sensitive: false)
        rule.check(value, with: &self)
    }

    /// Sets a path parameter whose value has a rule.
    @inline(never)
    public mutating func path<V: ParameterValue & RuledValue>(
        _ name: String, _ value: V?, _ rule: V.JSONRule
    ) {
        path(name, value, sensitive: false)
        rule.check(value, with: &self)
    }

    /// Adds a field to the form in the body, with a rule for its value.
    @inline(never)
    public mutating func form<V: ParameterValue & RuledValue>(
        _ name: String, _ value: V?, _ rule: V.JSONRule
    ) {
        form(name, value, sensitive: false)
        rule.check(value, with: &self)
    }

    /// Adds a field to a `multipart/form-data` body, with a rule for its value.
    @inline(never)
    public mutating func part<V: ParameterValue & RuledValue>(
        _ name: String, _ value: V?, _ rule: V.JSONRule
    ) {
        part(name, value, sensitive: false)
        rule.check(value, with: &self)
    }
}
