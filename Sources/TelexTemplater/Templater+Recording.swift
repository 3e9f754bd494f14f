import SecretNames
import TelexInspection
import TelexJSON
import TelexTemplates
import TemplateRules

extension Templater: TemplateStore {
    /// Stores a reply from a server as the template of a method.
    ///
    /// Values of secret keys, such as `access_token`, are replaced by placeholders of the same kind
    /// at any depth, and so are texts with such values inside, such as addresses. The rules of the
    /// template before are kept, with the values that they are about where the reply has none; its
    /// comments are not.
    ///
    /// - Parameters:
    ///   - reply: The body of a successful reply.
    ///   - method: The API's own name of the method: `users.get`.
    ///   - mode: Whether a template that is there already is replaced.
    ///   - secrets: Keys whose values are secret besides the well-known ones, in any case.
    /// - Returns: Whether the reply was stored.
    /// - Throws: If the reply is empty, not JSON or does not fit the rules that are kept, if the
    ///   template before has mistakes, or if the file cannot be written. The template before then
    ///   stays.
    @discardableResult
    public func record(
        _ reply: [UInt8], for method: String, mode: TemplateRecording, secrets: Set<String> = []
    ) async throws -> Bool {
        try TemplateFolder.check(name: method)
        guard try mode == .always || stored(method) == nil else { return false }
        if let error = JSONReader.syntaxError(in: reply, limits: .ofTemplates) {
            throw TemplaterError(method, reply.isEmpty ? .emptyReply : .corrupt("\(error)"))
        }
        let secrets = Set(secrets.map { $0.lowercased() })
        let sample = try TemplateNode(parsing: reply, of: method)
            .withoutRules.hiding(secrets, isSecret: false)
        return try await changing(method) { folder throws(TemplaterError) in
            let before = try stored(method)
            guard mode == .always || before == nil else { return false }
            let old = try before.map { before throws(TemplaterError) in
                try TemplateNode(parsing: before.bytes, of: method)
            }
            let node = old.map { sample.keepingRules(of: $0) } ?? sample
            let text = try TemplateText(node, of: method, compatibility)
            try folder.create()
            try folder.replaceTemplate(of: method, with: text.bytes)
            return true
        }
    }
}

extension TemplateNode {
    /// The value without secrets.
    ///
    /// - Parameters:
    ///   - names: Keys whose values are secret besides the well-known ones, in lower case.
    ///   - isSecret: Whether the value is inside one of a secret key.
    fileprivate func hiding(_ names: Set<String>, isSecret: Bool) -> TemplateNode {
        let hidden: Value =
            switch value {
            case .object(let members):
                .object(
                    members.map { member in
                        let isSecret =
                            isSecret || SecretName.isSuspicious(member.key)
                            || names.contains(member.key.lowercased())
                        return TemplateMember(
                            member.key, at: member.range,
                            value: member.value.hiding(names, isSecret: isSecret))
                    })
            case .array(let items): .array(items.map { $0.hiding(names, isSecret: isSecret) })
            case .string(let text) where isSecret || text.holdsSecret(of: names):
                .string(Violation.redacted)
            case .number(let text) where isSecret:
                .number(text.contains { ".eE".contains($0) } ? "0.0" : "0")
            case .bool where isSecret: .bool(false)
            case .string, .number, .bool, .null: value
            }
        return TemplateNode(hidden, at: range)
    }

    private static let rules = "-Rules"

    /// The value with the rules of another one, and with what these rules are about.
    fileprivate func keepingRules(of old: TemplateNode) -> TemplateNode {
        switch (value, old.value) {
        case (.object(let members), .object(let others)):
            var rest = Dictionary(others.map { ($0.key, $0) }) { first, _ in first }
            var kept: [TemplateMember] = []
            for var member in members {
                if let other = rest.removeValue(forKey: member.key) {
                    member.value = member.value.keepingRules(of: other.value)
                }
                kept.append(member)
                guard let rules = rest[member.key + Self.rules], rules.isRules else { continue }
                rest[rules.key] = nil
                kept.append(rules)
            }
            kept += others.filter { other in
                let hasRules = other.isRules || rest[other.key + Self.rules]?.isRules == true
                return rest[other.key] != nil && (hasRules || other.value.hasRules)
            }
            return TemplateNode(.object(kept), at: range)
        case (.array(let items), .array(let others)):
            var kept = zip(items, others).map { $0.keepingRules(of: $1) }
            kept += items.dropFirst(kept.count)
            kept += others.dropFirst(items.count).filter(\.hasRules)
            return TemplateNode(.array(kept), at: range)
        case (.null, _): return old.hasRules ? old : self
        default: return self
        }
    }

    /// Whether there are rules inside the value.
    private var hasRules: Bool {
        switch value {
        case .object(let members): members.contains { $0.isRules || $0.value.hasRules }
        case .array(let items): items.contains(where: \.hasRules)
        default: false
        }
    }
}

extension String {
    /// Whether values of secret names are in the text, as in the query of an address.
    fileprivate func holdsSecret(of names: Set<String>) -> Bool {
        !SecretScanner.places(of: names, includingCommon: true, in: Array(utf8)).isEmpty
    }
}
