/// Moves what all methods of a group have to the group, and what all groups have to the API.
struct DraftCascade {
    /// The fewest methods for which a common setting is worth a place of its own.
    private static let fewest = 3

    /// Header fields about one request (RFC 9110, 13.1 and 14.2), which stay arguments of methods.
    private static let ofOneRequest: Set<String> = [
        "if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range",
        "range",
    ]

    static func hoist(in draft: inout SpecDraft) {
        let all = draft.groups.flatMap(\.methods)
        for section in sections {
            let shared = shared(section.method, all)
            guard !shared.isEmpty else { continue }
            draft.settings.append(DraftEntry(section.group, .map(shared.map(\.parameter))))
            for index in draft.groups.indices { draft.groups[index].remove(shared, section.method) }
        }
        for index in draft.groups.indices { hoist(in: &draft.groups[index]) }
    }

    /// The sections of a method, and those of a group and the API for the same place.
    private static let sections = [
        (method: "headers", group: "headers"), (method: "query", group: "parameters"),
    ]

    private static func hoist(in group: inout DraftGroup) {
        for section in sections {
            let shared = shared(section.method, group.methods)
            guard !shared.isEmpty else { continue }
            group.documentation.append(DraftEntry(section.group, .map(shared.map(\.parameter))))
            group.remove(shared, section.method)
        }
        guard group.methods.count >= fewest else { return }
        for key in ["server", "auth"] {
            let values = Set(group.methods.map { $0.settings[key] })
            guard values.count == 1, let value = values.first ?? nil else { continue }
            group.documentation.append(DraftEntry(key, value))
            for index in group.methods.indices {
                group.methods[index].settings.removeAll { $0.key == key }
            }
        }
    }

    /// The parameters that all methods have in a section, with the same type and documentation.
    private static func shared(_ section: String, _ methods: [DraftMethod]) -> [DraftField] {
        guard methods.count >= fewest, let first = methods.first else { return [] }
        let others = methods.dropFirst().map { Set($0.fields(in: section)) }
        return first.fields(in: section).filter { field in
            // What a page needs is an argument of its method.
            !methods.contains { $0.pageParameters.contains(field.name) }
                && !ofOneRequest.contains(field.name.lowercased())
                && !field.type.isDeclaration && others.allSatisfy { $0.contains(field) }
        }
    }
}

extension DraftGroup {
    fileprivate mutating func remove(_ fields: [DraftField], _ section: String) {
        for index in methods.indices {
            for place in methods[index].sections.indices
            where methods[index].sections[place].name == section {
                methods[index].sections[place].fields.removeAll { fields.contains($0) }
            }
            methods[index].sections.removeAll { $0.fields.isEmpty }
        }
    }
}

extension DraftMethod {
    fileprivate func fields(in section: String) -> [DraftField] {
        sections.first { $0.name == section }?.fields ?? []
    }

    /// The names of parameters that `pages` sends.
    fileprivate var pageParameters: [String] {
        guard case .map(let entries)? = settings["pages"], case .text(let name)? = entries["send"]
        else { return [] }
        return [name]
    }
}

extension DraftField {
    /// The parameter in a group or the API, where a text alone would be a constant.
    fileprivate var parameter: DraftEntry {
        if case .type = type.value {
            return DraftEntry(name, .map([DraftEntry("type", type.value)]))
        }
        return DraftEntry(name, type.value)
    }
}
