import TelexJSON

extension RequestTemplate {
    /// Everything by which calls without a body differ.
    var identity: String { identity(of: fields.map(\.name)) }

    /// The method, and the values of some parameters.
    func identity(of names: [String]) -> String {
        var identity = method
        for field in fields where names.contains(field.name) {
            for pair in field.pairs { identity += "\u{0}\(pair.name)\u{0}\(pair.value)" }
        }
        guard case .json(let bytes, _) = body else { return identity }
        for name in names {
            guard let value = JSONReader.bytes(at: [name], in: bytes) else { continue }
            identity += "\u{0}\(name)\u{0}\(String(decoding: value, as: UTF8.self))"
        }
        return identity
    }
}
