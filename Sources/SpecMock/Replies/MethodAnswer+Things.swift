import HTTPTypes
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting

/// Things that requests create, change and remove.
extension MethodAnswer {
    /// The value of a reply; nil if it is about a thing that was removed.
    func thing(_ value: Value, _ match: Match, _ fields: inout HTTPFields) -> ReplyMaker.Made? {
        let pattern = match.route.pattern
        if let kind = spec.resources.item(pattern) {
            if request.method == "GET" || request.method == "HEAD" {
                guard !server.change({ $0.shelf.isRemoved(match.path) }) else { return nil }
                return current(kind, at: match.path)
            }
            guard changeThing(match) else { return nil }
            if value.type == kind.value.type, request.method != "DELETE" {
                return kept(match.path) ?? current(kind, at: match.path)
            }
        } else if request.method == "POST", let kind = spec.resources.element(of: pattern),
            value.type == kind.value.type
        {
            return created(kind, match, &fields)
        }
        let made = maker.value(of: match.method, value, for: match.path)
        return PageMaker(answer: self, match: match).listed(made, value, &fields)
    }

    /// Changes or removes the thing that a request is about, if it is about one.
    ///
    /// - Returns: Whether the thing was there.
    func changeThing(_ match: Match) -> Bool {
        guard let kind = spec.resources.item(match.route.pattern) else { return true }
        let (path, verb) = (match.path, request.method)
        let isRemoved = server.change { $0.shelf.isRemoved(path) }
        guard !isRemoved || verb == "PUT" else { return false }
        if verb == "DELETE" {
            server.change { $0.shelf.remove(path) }
        } else {
            let before = current(kind, at: path)
            let thing = overlaid(before.value, kind)
            server.change { $0.shelf.keep(thing, at: path) }
        }
        return true
    }

    /// The thing that a request has kept at a path.
    func kept(_ path: String) -> ReplyMaker.Made? {
        server.change { $0.shelf[path] }.map {
            ReplyMaker.Made(value: $0, source: "kept", isWhole: false)
        }
    }

    /// The thing at a path: what was kept there, else one that is made.
    func current(_ kind: Resources.Kind, at path: String) -> ReplyMaker.Made {
        if let kept = kept(path) { return kept }
        var made = maker.value(of: kind.getter, kind.value, for: path)
        if made.source == "made", let last = path.split(separator: "/").last {
            setID(String(last), of: kind, in: &made.value)
        }
        return made
    }

    /// Gives a thing the id of its path, if its type can have it.
    private func setID(_ text: String, of kind: Resources.Kind, in thing: inout JSONValue) {
        guard !kind.id.isEmpty, let old = thing.value(at: kind.id) else { return }
        let id = old.asString == nil ? WrittenLiteral.number(text) : JSONValue.string(text)
        guard old.asString != nil || id.asInt != nil else { return }
        var changed = thing
        changed.set(id, at: kind.id)
        if maker.check(kind.value)(changed) { thing = changed }
    }

    private func created(
        _ kind: Resources.Kind, _ match: Match, _ fields: inout HTTPFields
    ) -> ReplyMaker.Made {
        let number = server.change { $0.summary.requests }
        var made = maker.value(of: match.method, kind.value, for: "\(match.path) \(number)")
        guard !made.isWhole else { return made }
        made.value = overlaid(made.value, kind)
        guard let id = made.value.value(at: kind.id), !kind.id.isEmpty else { return made }
        let (path, value) = ("\(match.path)/\(id.writtenText)", made.value)
        server.change { $0.shelf.keep(value, at: path) }
        if fields[.location] != nil { fields[.location] = address(of: path) }
        return ReplyMaker.Made(value: made.value, source: "created", isWhole: false)
    }

    /// A thing with the members of the request that fit its type.
    private func overlaid(_ thing: JSONValue, _ kind: Resources.Kind) -> JSONValue {
        guard let sent = sentMembers(kind), let fields = spec.models.fields(of: kind.value)
        else { return thing }
        var changed = thing
        for member in sent.members {
            guard let field = fields.first(where: { $0.key == member.key && $0.steps.isEmpty }),
                member.value != .null || field.value.isNullable,
                maker.check(field.value)(member.value)
            else { continue }
            changed.set(member.value, at: [member.key])
        }
        return maker.check(kind.value)(changed) ? changed : thing
    }

    /// The object that a request sends: its body, or what is under the key that replies have, too.
    private func sentMembers(_ kind: Resources.Kind) -> JSONObject? {
        guard let body = content.json else { return nil }
        if case .key(let key)? = spec.success(kind.getter).unwrap.last, let inner = body[key] {
            return inner.asObject
        }
        return body.asObject
    }
}
