import SpecDiagnostics
import SpecSemantics

/// Makes one API of several descriptions: servers and security of each belong to its operations.
struct DescriptionRoots {
    /// The API of all.
    private(set) var api = OpenAPIDescription()
    /// Operations of two descriptions that a request cannot tell apart.
    private(set) var conflicts: [(first: OperationDescription, second: OperationDescription)] = []
    private var known: [String: (operation: OperationDescription, root: Int)] = [:]

    init(_ roots: [OpenAPIDescription], origin: Span) {
        api.title = roots.lazy.map(\.title).first { !$0.isEmpty } ?? ""
        api.description = roots.lazy.compactMap(\.description).first
        api.link = roots.lazy.compactMap(\.link).first
        for root in roots { api.tagDocs.merge(root.tagDocs) { first, _ in first } }
        // A description without operations only lends what the others refer to.
        var callers = roots.filter { !$0.operations.isEmpty }
        for index in callers.indices { tellSchemesApart(in: &callers[index]) }
        for root in roots where root.operations.isEmpty { add(root.schemes) }
        let lenders = callers.count == 1 ? callers + roots : callers
        api.servers = lenders.lazy.map(\.servers).first { !$0.isEmpty } ?? []
        api.security = lenders.lazy.compactMap(\.security).first
        if callers.count > 1 { separate(&callers, origin) }
        for (index, root) in callers.enumerated() {
            for operation in root.operations { add(operation, of: root, index) }
        }
    }

    /// Adds schemes, each once.
    private mutating func add(_ schemes: [SchemeDescription]) {
        for scheme in schemes
        where !api.schemes.contains(where: { $0.name == scheme.name && $0.place == scheme.place }) {
            api.schemes.append(scheme)
        }
    }

    /// Gives other names to schemes that are called like different ones of other descriptions.
    private mutating func tellSchemesApart(in root: inout OpenAPIDescription) {
        let others = api.schemes
        var names: [String: String] = [:]
        for index in root.schemes.indices {
            let (name, place) = (root.schemes[index].name, root.schemes[index].place)
            let unique = name.unique { text in
                !others.contains { $0.name == text && $0.place != place }
            }
            names[name] = unique
            root.schemes[index].name = unique
        }
        let renamed = { (list: [SecurityRequirement]?) in
            list?.map { item in
                SecurityRequirement(
                    schemes: item.schemes.map { names[$0] ?? $0 }, hasScopes: item.hasScopes)
            }
        }
        root.security = renamed(root.security)
        for index in root.operations.indices {
            root.operations[index].security = renamed(root.operations[index].security)
        }
        add(root.schemes)
    }

    /// Gives operations the servers and the security of their description, where these differ.
    private mutating func separate(_ roots: inout [OpenAPIDescription], _ origin: Span) {
        let addresses = Set(roots.map { $0.servers.map(\.address) })
        if addresses.count > 1 {
            for root in roots.indices where roots[root].servers.isEmpty {
                // Relative to where the description is (OpenAPI 3.1, section 4.8.1).
                let span = roots[root].operations.first?.span ?? origin
                roots[root].servers = [ServerDescription(url: "", span: span)]
            }
            var seen: Set<String> = []
            api.servers = roots.flatMap(\.servers).filter { seen.insert($0.address).inserted }
        }
        for root in roots.indices {
            for index in roots[root].operations.indices {
                if addresses.count > 1, roots[root].operations[index].servers.isEmpty {
                    roots[root].operations[index].servers = roots[root].servers
                }
                if roots[root].operations[index].security == nil {
                    roots[root].operations[index].security = roots[root].security ?? []
                }
            }
        }
    }

    /// Adds an operation, unless another description has the same one.
    private mutating func add(
        _ operation: OperationDescription, of root: OpenAPIDescription, _ index: Int
    ) {
        let server = (operation.servers.first ?? root.servers.first)?.address ?? ""
        let path = operation.path.withoutPlaceholderNames
        let key = "\(operation.verb) \(path) \(server)"
        if let other = known[key], other.root != index {
            if other.operation.span != operation.span {
                conflicts.append((other.operation, operation))
            }
            return
        }
        known[key] = (operation, index)
        api.operations.append(operation)
    }
}

extension ServerDescription {
    /// What tells servers apart: the address with the values of its variables.
    var address: String {
        let values = variables.map { "\($0.name)=\($0.defaultValue ?? "")\($0.values)" }
        let base = url.last == "/" ? String(url.dropLast()) : url
        return ([base] + values).joined(separator: " ")
    }
}
