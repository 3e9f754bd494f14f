import Foundation

/// Values for the schema of the VK API, made from its own files.
struct VKSample {
    /// A method with one shape of replies, and values for it.
    struct Call {
        let method: String
        /// The required parameters, as a JSON object.
        let parameters: String
        /// A reply of the server.
        let reply: String
    }

    private typealias Node = [String: Any]

    /// The parsed files, by path in the folder of the schema.
    private let files: [String: Node]

    init(_ files: [(path: String, bytes: [UInt8])]) throws {
        var parsed: [String: Node] = [:]
        for (path, bytes) in files {
            parsed[path] = try JSONSerialization.jsonObject(with: Data(bytes)) as? Node
        }
        self.files = parsed
    }

    /// The calls of a group's methods whose replies have one shape.
    func calls(of group: String) throws -> [Call] {
        let path = "\(group)/methods.json"
        let methods = files[path]?["methods"] as? [Node] ?? []
        return try methods.compactMap { method in
            guard let name = method["name"] as? String,
                let replies = method["responses"] as? Node, replies.count == 1,
                let reply = replies.values.first as? Node
            else { return nil }
            var parameters: Node = [:]
            for case let item as Node in method["parameters"] as? [Any] ?? []
            where item["required"] as? Bool == true {
                parameters[item["name"] as? String ?? ""] = value(of: item, in: path)
            }
            return Call(
                method: name, parameters: try Self.text(parameters),
                reply: try Self.text(value(of: reply, in: path)))
        }
    }

    private static func text(_ value: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: value, options: options),
            as: UTF8.self)
    }

    /// A value of a schema with all its properties. Deep inside, optional properties and elements of
    /// lists are left out, because objects may contain themselves.
    private func value(of schema: Node, in file: String, depth: Int = 0) -> Any {
        if let (target, place) = target(of: schema, in: file) {
            return value(of: target, in: place, depth: depth)
        }
        if let values = schema["enum"] as? [Any], let first = values.first { return first }
        if let parts = schema["allOf"] as? [Node] {
            let objects = parts.map { value(of: $0, in: file, depth: depth) as? Node ?? [:] }
            return objects.reduce([:]) { $0.merging($1) { $1 } }
        }
        if let choices = schema["oneOf"] as? [Node] {
            return value(of: choices[0], in: file, depth: depth)
        }
        let types = schema["type"] as? [String] ?? [schema["type"] as? String ?? "object"]
        // A client takes a number or a text as text.
        switch types.contains("string") ? "string" : types[0] {
        case "integer", "number": return schema["minimum"] ?? schema["maximum"] ?? 1
        case "string":
            return schema["format"] as? String == "uri" ? "https://vk.example/a" : "some text"
        case "boolean": return true
        case "array":
            let least = schema["minItems"] as? Int ?? 0
            let count = depth < 6 ? max(1, least) : least
            guard count > 0, let items = schema["items"] as? Node else { return [Any]() }
            return (0..<count).map { _ in value(of: items, in: file, depth: depth + 1) }
        default: return object(schema, in: file, depth: depth)
        }
    }

    private func object(_ schema: Node, in file: String, depth: Int) -> Node {
        let required = schema["required"] as? [String] ?? []
        let isRequired = { (name: String, property: Node) in
            required.contains(name) || property["required"] as? Bool == true
        }
        var result: Node = [:]
        for case (let name, let property as Node) in schema["properties"] as? Node ?? [:]
        where depth < 6 || isRequired(name, property) {
            result[name] = value(of: property, in: file, depth: depth + 1)
        }
        return result
    }

    /// What a reference leads to, and the file of it.
    private func target(of schema: Node, in file: String) -> (schema: Node, file: String)? {
        guard let parts = (schema["$ref"] as? String)?.split(separator: "#"), parts.count == 2
        else {
            return nil
        }
        let folder = URL(fileURLWithPath: "/\(file)").deletingLastPathComponent()
        let path = folder.appendingPathComponent(String(parts[0])).standardizedFileURL.path
        let found = parts[1].split(separator: "/").reduce(files[String(path.dropFirst())]) {
            $0?[String($1)] as? Node
        }
        return found.map { ($0, String(path.dropFirst())) }
    }
}
