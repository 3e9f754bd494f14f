import TelexJSON

extension RequestTemplate {
    /// Everything by which calls without a body differ.
    var identity: String { identity(of: fields.map(\.name)) }

    /// The method, and the values of some parameters. Each text has its length before it: whatever
    /// is in one, it does not look like two.
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
        // The bare name and a name with an empty value differ.
        self += pair.isBare ? "!" : "=\(pair.texts.count):"
        for text in pair.texts { add(text) }
    }

    fileprivate mutating func add(_ text: String) { self += "\(text.utf8.count):\(text)" }
}
