import SpecDiagnostics

/// Parses sessions.
extension Parser {
    /// `sessions: { private: ephemeral, images: { connections: 10 }, transfers: background }`
    mutating func sessions(_ node: YAMLNode) -> [SessionSyntax] {
        entries(node, of: "`sessions`").compactMap { entry in
            let own = ["default", "ephemeral"]
            guard text(entry.key, expecting: "a session's name") != nil,
                isUnreserved(entry.key, reserved: own, meaning: "is a session that every API has")
            else { return nil }
            var session = SessionSyntax(name: entry.key.located)
            if entry.value.kind == .scalar {
                let kinds = ["ephemeral", "background"]
                // A session with an error still declares its name.
                let kind = word(
                    entry.value, expecting: "a kind of session", among: kinds,
                    or: "{ connections: 10 }"
                )?.value
                session.isEphemeral = kind == "ephemeral"
                session.isBackground = kind == "background"
                return session
            }
            read(entry.value, into: &session)
            return session
        }
    }

    private mutating func read(_ node: YAMLNode, into session: inout SessionSyntax) {
        var kinds: [Located<String>] = []
        visit(node, as: .session) { parser, key, entry in
            let value = entry.value
            switch key {
            case "ephemeral":
                session.isEphemeral = parser.flag(value, for: "`ephemeral`") ?? false
                if session.isEphemeral { kinds.append(entry.key.located) }
            case "background":
                session.isBackground = parser.flag(value, for: "`background`") ?? false
                if session.isBackground { kinds.append(entry.key.located) }
            case "connections": session.connections = parser.count(value, of: "connections")
            default: return false
            }
            return true
        }
        if kinds.count == 2 { reportConflict(kinds[1], with: kinds[0]) }
    }
}
