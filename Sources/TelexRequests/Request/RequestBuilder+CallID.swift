extension RequestBuilder {
    /// A place of the id of a call.
    public enum CallIDPlace: Sendable {
        /// A placeholder of the path.
        case path
        /// The query.
        case query
        /// A header field.
        case header
        /// A field of a form, or a part of a multipart body.
        case form
        /// A member of the JSON object in the body.
        case json
    }

    /// Adds the id of the call: the key in the call's options, or a new one. All attempts of a call
    /// have the same.
    ///
    /// - Parameters:
    ///   - name: The name of the value in its place.
    ///   - place: The place.
    ///   - isInteger: Whether it is an integer, up to 2^53 unless the options have one.
    ///   - sensitive: Whether it is redacted.
    public mutating func callID(
        _ name: String, in place: CallIDPlace, isInteger: Bool = false,
        sensitive: Bool = false
    ) {
        if isInteger || state.template.callIDForm == nil {
            state.template.callIDForm = isInteger ? .integer : .text
        }
        let field = RequestField(
            name: name, content: .callID, isSensitive: sensitive, isNumber: isInteger)
        switch place {
        case .path: state.template.path.append(field)
        case .query: state.template.query.append(field)
        case .header: state.template.headers.append(field)
        case .form, .json: state.template.form.append(.field(field))
        }
    }
}
