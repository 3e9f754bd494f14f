import SpecSyntax

extension OpenAPIReader {
    /// The servers that a description, a path item or an operation names.
    func servers(_ node: ReferringNode) -> [ServerDescription] {
        (node.value(of: "servers").map(files.resolved)?.items ?? []).map { server in
            let variables = server.value(of: "variables")?.entries ?? []
            return ServerDescription(
                url: server.text(of: "url") ?? "", description: server.text(of: "description"),
                variables: variables.map { entry in
                    let value = entry.value.value(of: "default")
                    return ServerDescription.Variable(
                        name: entry.key.text,
                        defaultValue: value.flatMap { $0.kind == .scalar ? $0.text : nil },
                        values: entry.value.value(of: "enum")?.items.map(\.text) ?? [])
                }, span: server.span)
        }
    }

    /// The server of OpenAPI 2.0: `schemes`, `host` and `basePath`.
    func hostServers() -> [ServerDescription] {
        let path = root.text(of: "basePath") ?? ""
        guard let host = root.text(of: "host") else {
            return [ServerDescription(url: path, span: root.span)]
        }
        let schemes = root.value(of: "schemes")?.items.map(\.text) ?? []
        let scheme = schemes.isEmpty || schemes.contains("https") ? "https" : schemes[0]
        return [ServerDescription(url: "\(scheme)://\(host)\(path)", span: root.span)]
    }
}
