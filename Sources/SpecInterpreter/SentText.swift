import Foundation
import SpecIR
import TelexJSON

/// Turns texts of a request into JSON by their types, so that one reader checks both.
struct SentText: Sendable {
    let models: [String: Model]

    /// The JSON of a parameter among named texts; nil if it is not there.
    func json(of parameter: Parameter, in pairs: [RequestValues.Pair]) -> [UInt8]? {
        let key = parameter.key
        switch parameter.listStyle {
        case .entries:
            let taken = Set(parameter.takenNames)
            let own = pairs.filter { !taken.contains($0.name) }
            return own.isEmpty ? nil : json(own.map { ([$0.name], $0.text) }, parameter.value)
        case .deep, .dots:
            let own = pairs.compactMap { pair -> (path: [String], text: String)? in
                let parts = pair.name.split { "[].".contains($0) }.map(String.init)
                return parts.first == key ? (Array(parts.dropFirst()), pair.text) : nil
            }
            return own.isEmpty ? nil : json(own, parameter.value)
        case .brackets, .indexed:
            let own = pairs.filter { $0.name == key || $0.name.hasPrefix(key + "[") }
            return own.isEmpty ? nil : json(own.map(\.text), parameter)
        case .repeated, .joined, .json:
            let own = pairs.filter { $0.name == key }
            return own.isEmpty ? nil : json(own.map(\.text), parameter)
        }
    }

    /// The JSON of the texts of one parameter.
    func json(_ texts: [String], _ parameter: Parameter) -> [UInt8] {
        guard case .list(let element) = parameter.value.type, parameter.listStyle != .json else {
            return json(texts.last ?? "", parameter.value)
        }
        var items = texts
        var separator: String?
        if case .joined(let text) = parameter.listStyle { separator = text }
        if separator == nil, parameter.location == .path { separator = "," }
        if separator == nil, parameter.location == .header { separator = ", " }
        if let separator {
            items = texts.flatMap { text in
                text.isEmpty ? [] : text.components(separatedBy: separator)
            }
        }
        return array(items.map { json($0, element) })
    }

    /// The JSON of texts at paths inside a value.
    private func json(_ pairs: [(path: [String], text: String)], _ value: Value) -> [UInt8] {
        if let text = pairs.first(where: { $0.path.isEmpty })?.text { return json(text, value) }
        var names: [String] = []
        for pair in pairs where !names.contains(pair.path[0]) { names.append(pair.path[0]) }
        let members = names.map { name in
            let inner = pairs.filter { $0.path[0] == name }.map {
                (Array($0.path.dropFirst()), $0.text)
            }
            return (name: name, json: json(inner, element(name, of: value.type)))
        }
        if case .list = value.type { return array(members.map(\.json)) }
        let texts = members.map { quoted($0.name) + [UInt8(ascii: ":")] + $0.json }
        return Array("{".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
    }

    /// The JSON of a text: a number, a Boolean or JSON if the type says so and it is one, or else a
    /// text, which the type then refuses.
    private func json(_ text: String, _ value: Value) -> [UInt8] {
        let bytes = Array(text.utf8)
        let isText = value.from == .string || value.shapes == [.string]
        if isText { return quoted(text) }
        if value.type == .bool(.presence), text.isEmpty { return Array("true".utf8) }
        guard let first = bytes.first, first != 0x20, JSONReader.syntaxError(in: bytes) == nil
        else { return quoted(text) }
        // A text may look like a number.
        if case .string = value.type { return quoted(text) }
        return bytes
    }

    /// The type of what is inside an object, a list or a map.
    private func element(_ key: String, of type: ValueType) -> Value {
        switch type {
        case .list(let element), .map(_, let element): return element
        case .object(let name):
            guard case .object(let fields) = models[name]?.kind else { return Value(.json) }
            return fields.first { $0.key == key }?.value ?? Value(.json)
        default: return Value(.json)
        }
    }

    func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(text)
        return writer.bytes
    }

    private func array(_ items: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + items.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    }
}
