import HTTPTypes
import TelexValues

/// A link in a `Link` header field (RFC 8288, section 3): `<https://…>; rel="next"`.
package struct Link: Equatable {
    /// The address or reference between the angle brackets.
    package var target: String
    /// The relation types, in lower case.
    package var relations: [String] = []

    /// Whether the link has a relation type; their case does not matter (section 2.1.1).
    package func has(_ relation: String) -> Bool { relations.contains(relation.lowercased()) }

    /// Returns the links of a field value, up to the first text that is not a link.
    package static func all(in value: String) -> [Link] {
        var links: [Link] = []
        var rest = value[...]
        while let link = next(&rest) { links.append(link) }
        return links
    }

    /// Reads a link with its parameters. Of several `rel`, the first counts (section 3.3).
    private static func next(_ rest: inout Substring) -> Link? {
        rest = rest.drop { ", \t".contains($0) }
        guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
        var link = Link(target: String(rest[rest.index(after: rest.startIndex)..<end]))
        rest = rest[end...].dropFirst()
        var hasRelation = false
        while let (name, value) = parameter(&rest) {
            guard name == "rel", !hasRelation else { continue }
            hasRelation = true
            link.relations = value.lowercased().split(separator: " ").map(String.init)
        }
        return link
    }

    /// Reads `; name=value` or `; name="value"`; nil if none follows.
    private static func parameter(_ rest: inout Substring) -> (name: String, value: String)? {
        let next = rest.drop { " \t".contains($0) }
        guard next.first == ";" else { return nil }
        rest = next.dropFirst()
        let name = rest.prefix { !"=;,".contains($0) }
        rest = rest[name.endIndex...]
        var value = ""
        if rest.first == "=" {
            rest = rest.dropFirst().drop { " \t".contains($0) }
            value = rest.removeQuoted() ?? token(&rest)
        }
        return (name.withoutOptionalSpace.lowercased(), value)
    }

    private static func token(_ rest: inout Substring) -> String {
        let token = rest.prefix { !";,".contains($0) }
        rest = rest[token.endIndex...]
        return String(token.withoutOptionalSpace)
    }
}

extension HTTPFields {
    /// Returns the address of the first link with a relation, resolved against the address that
    /// replied (RFC 8288, section 3.2); nil if there is none.
    package func link(_ relation: String, on address: Address?) -> String? {
        guard let name = HTTPField.Name("Link") else { return nil }
        let links = self[values: name].lazy.flatMap(Link.all)
        return links.first { $0.has(relation) }.map { link in
            address?.resolving(link.target)?.text ?? link.target
        }
    }
}
