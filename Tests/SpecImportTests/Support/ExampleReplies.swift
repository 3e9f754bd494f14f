import Foundation
import ProcessSupport

/// The example replies of a description in OpenAPI 2.0, and changed copies of them, with the verdicts
/// of Python's `jsonschema`.
enum ExampleReplies {
    struct Reply {
        /// The verb and the path of the operation, as in `GET users.list`.
        let operation: String
        let json: String
        /// The first violation; nil if the reply is valid.
        let violation: String?
        /// The keyword of the violation.
        let rule: String
    }

    /// - Parameters:
    ///   - description: The path of the description.
    ///   - folder: A temporary folder.
    ///   - python: An environment with the package `jsonschema`.
    static func read(
        _ description: String, in folder: URL, by python: SchemaValidator
    ) async throws -> [Reply] {
        try await python.run(script, [description], in: folder).map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            return Reply(
                operation: String(parts[0]), json: String(parts[1]),
                violation: parts[2].isEmpty ? nil : String(parts[2]), rule: String(parts[3]))
        }
    }

    /// Unknown keys are allowed: `additionalProperties: false` is not imported, because servers add
    /// keys. A reply counts as valid if it also is without that. A list of `items` without a type stands for alternatives, as in the import.
    private static let script = """
        import json, random, sys
        from jsonschema import Draft4Validator

        random = random.Random(33)

        def read(node, is_open):
            if isinstance(node, dict):
                if isinstance(node.get("items"), list) and "type" not in node:
                    return {"anyOf": read(node["items"], is_open)}
                return {k: read(v, is_open) for k, v in node.items()
                        if not (is_open and k == "additionalProperties" and v is False)}
            return [read(v, is_open) for v in node] if isinstance(node, list) else node

        def places(value, path=()):
            items = value.items() if isinstance(value, dict) else \\
                enumerate(value[:2]) if isinstance(value, list) else ()
            for key, part in items:
                yield path + (key,)
                yield from places(part, path + (key,))

        def changed(example):
            value = json.loads(json.dumps(example))
            # What tells success from an error is a setting of the API.
            paths = [path for path in places(value) if path != ("ok",)]
            if not paths or random.random() < 0.3:
                value["unknown"] = 1
                return value
            path = random.choice(paths)
            parent = value
            for key in path[:-1]:
                parent = parent[key]
            key = path[-1]
            others = [v for v in [True, 7, "x", [], {}, None] if type(v) != type(parent[key])]
            if isinstance(parent, dict) and random.random() < 0.3:
                del parent[key]
            else:
                parent[key] = random.choice(others)
            return value

        api = json.load(open(sys.argv[1], encoding="utf-8"))
        definitions = {is_open: read(api["definitions"], is_open) for is_open in (True, False)}

        def validator(schema, is_open):
            return Draft4Validator(
                dict(read(schema, is_open), definitions=definitions[is_open]))

        for path, operations in sorted(api["paths"].items()):
            for verb, operation in operations.items():
                reply = operation.get("responses", {}).get("200", {}) \\
                    if isinstance(operation, dict) else {}
                example = reply.get("examples", {}).get("application/json")
                if not isinstance(example, dict):
                    continue
                opened, closed = [validator(reply["schema"], is_open) for is_open in (True, False)]
                for value in [example] + [changed(example) for _ in range(12)]:
                    error = next(opened.iter_errors(value), None)
                    known = {k: v for k, v in value.items() if k != "unknown"}
                    # Only because of a key that another alternative has: neither verdict is wrong.
                    if error is None and not closed.is_valid(known):
                        continue
                    text = "" if error is None else f"{list(error.absolute_path)} {error.message}"
                    print(verb.upper() + " " + path[1:], json.dumps(value),
                          " ".join(text[:120].split()), error and error.validator or "", sep="\\t")
        """
}
