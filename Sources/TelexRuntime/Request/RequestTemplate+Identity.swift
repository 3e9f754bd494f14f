import TelexJSON

extension RequestTemplate {
    /// The method and all parameters except bodies and files; equal for equal calls without a body.
    var identity: String { identity(of: fields.map(\.name)) }

    /// Returns the method and the values of some parameters as one text. Each text is prefixed by
    /// its length, so that different values never result in the same identity.
    func identity(of names: [String]) -> String {
        var identity = method
        for (place, fields) in [path, query, headers, formFields].enumerated() {
            for field in fields where names.contains(field.name) {
                identity += "\u{0}\(place)"
                for pair in field.pairs { identity.add(pair) }
            }
        }
        guard case .json(let bytes, _) = body else { return identity }
        for name in names {
            guard let value = JSONReader.bytes(at: [name], in: bytes) else { continue }
            identity += "\u{0}body"
            identity.add(name)
            identity.add(String(decoding: value, as: UTF8.self))
        }
        return identity
    }
}

extension String {
    fileprivate mutating func add(_ pair: RequestField.Pair) {
        add(pair.name)
        // A bare name differs from a name with an empty value.
        self += pair.isBare ? "!" : "=\(pair.texts.count):"
        for text in pair.texts { add(text) }
    }

    fileprivate mutating func add(_ text: String) { self += "\(text.utf8.count):\(text)" }
}
