import Foundation
import HTTPTypes
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting
import TelexTransport

/// Logging in, tokens and their refusal.
extension MethodAnswer {
    // MARK: Refusals

    /// The refusal of a request without a good token; nil for a good one.
    func refusal(of match: Match, _ exchange: inout MockExchange) -> LoopbackReply? {
        let schemes = Array(spec.api.allSchemes.enumerated())
        let named = { (names: [String]) in schemes.filter { names.contains($0.element.name) } }
        let faults: [(scheme: (offset: Int, element: AuthRules), fault: TokenDesk.Fault)]
        switch match.method.auth {
        case .none: return nil
        case .required: faults = self.faults(schemes.prefix(1).map { $0 }, match)
        case .optional:
            faults = self.faults(schemes.prefix(1).map { $0 }, match)
                .filter { $0.fault != .missing }
        case .anyOf(let names):
            let all = self.faults(named(names), match)
            faults = all.count < names.count ? [] : all
        case .allOf(let names): faults = self.faults(named(names), match)
        }
        guard let first = faults.first else { return nil }
        return refusal(first.fault, of: first.scheme.element, first.scheme.offset, match, &exchange)
    }

    private func faults(
        _ schemes: [(offset: Int, element: AuthRules)], _ match: Match
    ) -> [(scheme: (offset: Int, element: AuthRules), fault: TokenDesk.Fault)] {
        schemes.compactMap { scheme in
            let token = scheme.element.token(in: content, match.values)
            let fault = server.change { state in
                state.desk.judge(
                    token, of: scheme.element, number: scheme.offset, now: maker.now)
            }
            return fault.map { (scheme, $0) }
        }
    }

    private func refusal(
        _ fault: TokenDesk.Fault, of scheme: AuthRules, _ number: Int, _ match: Match,
        _ exchange: inout MockExchange
    ) -> LoopbackReply {
        if case .handedOut(let token, let status, let header) = fault {
            exchange.note = "token handed out (\(spec.places.scheme(number)))"
            let fields = HTTPField.Name(header).map {
                HTTPFields([HTTPField(name: $0, value: token)])
            }
            return .bytes(status: status).adding(fields ?? [:])
        }
        let isExpired = fault == .expired
        let place = isExpired ? spec.places.expiry(number) : spec.places.scheme(number)
        exchange.note = (isExpired ? "token expired" : "no token") + " (\(place))"
        let signs = match.method.expiry ?? scheme.expiry
        var reply = maker.refusal(
            isExpired ? "the token has expired" : "the token is missing", sign: signs.first,
            status: 401, of: match.method, content)
        if reply.head?.status.code == 401 {
            let challenge = scheme.placement == .basic ? "Basic realm=\"mock\"" : "Bearer"
            reply = reply.adding([.wwwAuthenticate: challenge])
        }
        return reply
    }

    // MARK: Grants

    /// Puts new tokens into the reply of a method that logs in or renews a token.
    func addTokens(
        to made: inout ReplyMaker.Made?, _ fields: inout HTTPFields, _ method: SpecIR.Method
    ) {
        let renewals = spec.api.allSchemes.compactMap {
            scheme -> (token: [String], header: String?)? in
            if case .method(method.apiName, let token, let header) = scheme.refresh {
                (token, header)
            } else {
                nil
            }
        }
        guard method.login != nil || !renewals.isEmpty else { return }
        let grant = server.change { $0.desk.grant(maker.now) }
        let around = made?.isWhole == true ? spec.success(method).unwrap.keys : []
        if let login = method.login {
            let seconds = Int64(grant.seconds) * (login.isInMilliseconds ? 1000 : 1)
            made?.value.replace(.string(grant.token), at: around + login.token)
            made?.value.replace(.string(grant.refreshToken), at: around + login.refreshToken)
            made?.value.replace(.int(seconds), at: around + login.expiresIn)
        }
        for renewal in renewals {
            made?.value.replace(.string(grant.token), at: around + renewal.token)
            if let name = renewal.header.flatMap({ HTTPField.Name($0) }) {
                fields[name] = grant.token
            }
        }
    }

    func addTokens(
        to made: inout ReplyMaker.Made, _ fields: inout HTTPFields, _ method: SpecIR.Method
    ) {
        var some = ReplyMaker.Made?.some(made)
        addTokens(to: &some, &fields, method)
        if let some { made = some }
    }

    /// The reply of the token server that the spec names; nil for any other address.
    func grantedToken(_ exchange: inout MockExchange) -> LoopbackReply? {
        for (number, scheme) in spec.api.allSchemes.enumerated() {
            if let authorize = scheme.grant?.authorize, request.isTo(authorize) {
                exchange.note = "log-in (\(spec.places.scheme(number)))"
                return authorized(scheme)
            }
            guard case .request(let renewal) = scheme.refresh,
                request.isTo(renewal.url) || scheme.grant.map({ request.isTo($0.token) }) ?? false
            else { continue }
            return renewed(renewal, number, &exchange)
        }
        return nil
    }

    private func renewed(
        _ renewal: RefreshRequest, _ number: Int, _ exchange: inout MockExchange
    ) -> LoopbackReply {
        let members = renewal.members?.filter { $0.value == .refreshToken }.map(\.name)
        let old = (members ?? ["refresh_token"]).lazy
            .compactMap { content.form($0) ?? content.json?[$0]?.asString }.first
        guard let grant = server.change({ $0.desk.refresh(old, maker.now) }) else {
            exchange.note = "refresh token used twice (\(spec.places.scheme(number)))"
            return .json(["error": "invalid_grant"], status: 400)
        }
        exchange.note =
            (old == nil ? "token granted" : "token renewed") + " (\(spec.places.scheme(number)))"
        var reply: JSONValue = ["token_type": "Bearer"]
        reply.set(.string(grant.token), at: renewal.token)
        if !renewal.refreshToken.isEmpty {
            reply.set(.string(grant.refreshToken), at: renewal.refreshToken)
        }
        if !renewal.expiresIn.isEmpty {
            reply.set(.int(Int64(grant.seconds)), at: renewal.expiresIn)
        }
        return .json(reply).adding([.cacheControl: "no-store"])
    }

    /// Leads a browser back to the app with a code (RFC 6749, 4.1.2), or begins the log-in of a
    /// device (RFC 8628, 3.2).
    private func authorized(_ scheme: AuthRules) -> LoopbackReply {
        guard scheme.grant?.kind != .device else {
            return .json([
                "device_code": "mock-device", "user_code": "MOCK-CODE", "interval": 1,
                "expires_in": 600, "verification_uri": .string(address(of: "device")),
            ])
        }
        guard let back = content.query("redirect_uri") else {
            return .json(["error": "invalid_request"], status: 400)
        }
        let state = content.query("state").map { "&state=" + PercentEncoding.component($0) } ?? ""
        let mark = back.contains("?") ? "&" : "?"
        guard back.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return .json(["error": "invalid_request"], status: 400)
        }
        return .bytes(status: 302, fields: [.location: "\(back)\(mark)code=mock-code\(state)"])
    }
}

extension JSONValue {
    /// Sets a value where there is a path to it; texts stay texts.
    fileprivate mutating func replace(_ value: JSONValue, at path: [String]) {
        guard !path.isEmpty else { return }
        let isText = self.value(at: path)?.asString != nil
        set(isText ? .string(value.writtenText) : value, at: path)
    }
}

extension [PathStep] {
    /// The keys; nothing for a path that goes through lists.
    var keys: [String] {
        let keys = compactMap { if case .key(let key) = $0 { key } else { nil } }
        return keys.count == count ? keys : []
    }
}

extension LoopbackRequest {
    /// Whether the path is that of an address, below any server.
    fileprivate func isTo(_ address: String) -> Bool {
        let wanted = PathPattern.path(of: address).split(separator: "/")
        return !wanted.isEmpty && path.split(separator: "/").suffix(wanted.count) == wanted[...]
    }
}
