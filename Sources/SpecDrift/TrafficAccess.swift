import SpecImport
import SpecSecretNames
import SpecTemplateRules
import TelexJSON

/// How recorded calls are let in, and what refused ones say.
struct TrafficAccess {
    private enum Place: Hashable {
        case bearer, basic
        case header(String)
        case query(String)
    }

    private var places: [Place: Int] = [:]
    /// The tokens, which are only compared.
    private var tokens: Set<String> = []
    private var errors: [JSONValue] = []
    private var hasExpired = false

    private static let mostTokens = 50
    private static let mostErrors = 200

    /// Whether some call carries a token.
    var isUsed: Bool { !places.isEmpty }

    /// Notes the token of a call.
    ///
    /// - Returns: Whether it carries one.
    mutating func note(_ entry: Recording.Entry) -> Bool {
        var found: (place: Place, token: String)?
        for field in entry.request.fields {
            let name = field.name.lowercased()
            if name == "authorization" {
                let parts = field.text.split(separator: " ", maxSplits: 1)
                let token = parts.last.map(String.init) ?? ""
                switch parts.first?.lowercased() {
                case "bearer": found = (.bearer, token)
                case "basic": found = (.basic, token)
                default: found = (.header(field.name), field.text)
                }
            } else if found == nil, SecretName.isSuspicious(field.name), !name.contains("cookie") {
                found = (.header(field.name), field.text)
            }
        }
        if found == nil, let item = entry.query.first(where: { SecretName.isSuspicious($0.name) }) {
            found = (.query(item.name), item.text)
        }
        guard let found else { return false }
        places[found.place, default: 0] += 1
        if tokens.count < Self.mostTokens, found.token.utf8.count >= 8 { tokens.insert(found.token) }
        return true
    }

    /// Notes a refused call.
    mutating func noteError(_ entry: Recording.Entry) {
        if entry.status == 401 { hasExpired = true }
        guard entry.reply.isJSON, errors.count < Self.mostErrors, let bytes = entry.reply.bytes,
            let value = JSONReader.value(at: [], in: bytes)
        else { return }
        errors.append(value)
    }
}

/// What is written of it.
extension TrafficAccess {
    /// `auth` and `errors`, where the traffic shows them.
    var settings: [DraftEntry] { [auth, errorFormat].compactMap(\.self) }

    private var auth: DraftEntry? {
        let ranked = places.sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }
        guard let place = ranked.first?.key else { return nil }
        let token: DraftValue =
            switch place {
            case .bearer: .text("bearer")
            case .basic: .text("basic")
            case .header(let name): Self.place("header", name)
            case .query(let name): Self.place("query", name)
            }
        var scheme = [DraftEntry("token", token)]
        if place == .bearer || hasExpired { scheme.append(DraftEntry("expired", .word("401"))) }
        return DraftEntry("auth", .map([DraftEntry("account", .map(scheme))]))
    }

    private static func place(_ place: String, _ name: String) -> DraftValue {
        .map([DraftEntry("in", .text(place)), DraftEntry("name", .text(name))])
    }

    /// Where refused calls have their message and their code, if all that are JSON have them.
    private var errorFormat: DraftEntry? {
        guard !errors.isEmpty else { return nil }
        for at in ["", "error"] {
            let objects = at.isEmpty ? errors : errors.compactMap { $0[at] }
            guard objects.count == errors.count, objects.allSatisfy({ $0.asObject != nil }) else {
                continue
            }
            let message = Self.messages.first { key in objects.allSatisfy { $0[key]?.asString != nil } }
            let code = Self.codes.first { key in
                key != message && objects.allSatisfy { $0[key]?.asString ?? $0[key]?.numberText != nil }
            }
            guard message != nil || code != nil else { continue }
            let entries = [("at", at.isEmpty ? nil : at), ("code", code), ("message", message)]
            return DraftEntry(
                "errors",
                .map(entries.compactMap { key, text in text.map { DraftEntry(key, .text($0)) } }))
        }
        return nil
    }

    private static let messages = [
        "message", "detail", "error_description", "error_msg", "title", "description", "error",
    ]
    private static let codes = ["code", "error_code", "errorCode", "error", "type"]

    /// The keys that lead to a token of other calls in a reply; nil if it has none.
    func loginPath(in reply: TemplateNode) -> [String]? {
        guard case .object(let members) = reply.value else { return nil }
        for member in members {
            if case .string(let text) = member.value.value, tokens.contains(text) {
                return [member.key]
            }
            if let path = loginPath(in: member.value) { return [member.key] + path }
        }
        return nil
    }

    /// The value of `login`: where replies have the token, and what stands beside it.
    static func login(_ path: [String]?, in replies: [TemplateNode]) -> DraftValue? {
        guard let path, let last = path.last,
            path.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 != 0x2E && $0 > 0x20 } }),
            let object = replies.lazy.compactMap({ $0.object(at: path.dropLast()) }).first
        else { return nil }
        var entries = [DraftEntry("token", .text(path.joined(separator: ".")))]
        for member in object where member.key != last {
            let name = (path.dropLast() + [member.key]).joined(separator: ".")
            let key = member.key.lowercased().filter { $0 != "_" && $0 != "-" }
            switch member.value.value {
            case .string where key.contains("refresh"):
                entries.append(DraftEntry("refresh", .text(name)))
            case .number where key == "expiresin":
                entries.append(DraftEntry("expires-in", .text(name)))
            default: break
            }
        }
        return .map(entries)
    }
}

extension TemplateNode {
    /// The members of the object at a path of keys; nil if there is none.
    fileprivate func object(at path: ArraySlice<String>) -> [TemplateMember]? {
        guard case .object(let members) = value else { return nil }
        guard let key = path.first else { return members }
        return members.first { $0.key == key }?.value.object(at: path.dropFirst())
    }
}
