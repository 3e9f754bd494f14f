import TelexJSON

extension RequestTemplate {
    /// The method, all parameters and the body; equal for equal calls, if they are comparable.
    package var identity: String {
        let identity = identity(of: fields.map(\.name))
        return switch body {
        case .json(let bytes, _), .bytes(let bytes, _): "\(identity)\u{0}\(bytes.comparedText)"
        case .none, .file: identity
        }
    }

    /// Whether equal calls can be recognized: the request has no file.
    package var isComparable: Bool {
        if case .file = body { return false }
        return !form.contains { if case .file = $0 { true } else { false } }
    }

    /// Returns the method and the values of some parameters as one text. Each text is prefixed by
    /// its length, so that different values never result in the same identity.
    package func identity(of names: [String]) -> String {
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

extension RequestTemplate.Payload {
    /// The body as a text; equal for equal bodies.
    package var comparedText: String {
        if case .bytes(let bytes) = body { bytes.comparedText } else { "" }
    }
}

extension [UInt8] {
    /// The bytes as a text without loss, a character for each.
    fileprivate var comparedText: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: lazy.map { Unicode.Scalar($0) })
        return String(text)
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
