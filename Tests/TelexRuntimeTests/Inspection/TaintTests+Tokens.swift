import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// An API whose refresh request holds secrets in every place.
private enum TaintedRefresh {
    /// The refresh request of the managers that a task makes.
    @TaskLocal static var refresh = RefreshRequest("https://id.test/")

    static var definition: APIDefinition {
        var definition = VaultAPI.definition
        definition.auth.expired = [.status(401)]
        definition.auth.refresh = .request(refresh)
        return definition
    }
}

extension Taints {
    /// The secrets of a refresh: the credential's, the request's, and those of the reply.
    fileprivate var ofRefresh: [String] { echoed + [cookie, reply] }

    /// The secrets that a token server receives, and may repeat.
    fileprivate var echoed: [String] {
        [token, refreshToken, query, header, password, body, nested, card]
    }

    fileprivate var credential: Credential {
        Credential(
            token: token, values: ["device": nested, "id_token": card],
            refreshToken: refreshToken)
    }

    fileprivate func refresh(_ round: Int) -> RefreshRequest {
        let fields: [RefreshRequest.Field] = [
            .init("grant_type", .constant("refresh_token")), .init("api_key", .constant(header)),
            .init("assertion", .constant(body)), .init("key", .secret(password)),
            .init("device", .fact("device")), .init("proof", .fact("id_token")),
            .init("refresh_token", .refreshToken), .init("old", .token),
        ]
        let key = PercentEncoding.component(query)
        return RefreshRequest(
            "https://id.test/token?key=\(key)", round % 2 == 0 ? .form(fields) : .json(fields),
            reply: TokenReplyRules(token: ["data", "jwt"]))
    }

    /// The reply of a token server that repeats the secrets.
    fileprivate func tokenReply(_ round: Int) throws(TransportError) -> TransportReply {
        let all = (echoed + [cookie, reply]).joined(separator: " ")
        let spelled = (echoed + [cookie, reply]).flatMap { secret in
            TaintTests.forms(secret).enumerated().filter { $0.offset % 3 == round % 3 }
                .map(\.element)
        }.joined(separator: " ")
        let text = object(all, spelled, isRefusal: round / 2 % 6 == 1)
        var fields: HTTPFields = [
            .setCookie: "sid=\(cookie); HttpOnly", .contentType: "application/json",
            .location: "https://\(header.count).test/\(PercentEncoding.component(all))?t=\(header)",
            .server: "echo \(token)", .wwwAuthenticate: "Bearer realm=\"\(header) \(token)\"",
        ]
        if let name = HTTPField.Name("X-Request-ID") { fields[name] = "\(cookie) \(token)" }
        switch round / 2 % 6 {
        case 0: return .json(text, fields: fields)
        case 1: return .json(text, status: .badRequest, fields: fields)
        case 2: return .json(text, status: .found, fields: fields)
        case 3: throw TransportError(.other, "cannot reach \(echoed.joined(separator: " "))")
        case 4: return .json(#"{"access_token":"\#(cookie)","x":[\#(text)"#, fields: fields)
        default:
            let error = TransportError(.other, "lost \(echoed.joined(separator: " "))")
            return .chunks(
                [Array(text.utf8)], length: text.utf8.count + 1, then: error, fields: fields)
        }
    }

    private func object(_ all: String, _ spelled: String, isRefusal: Bool) -> String {
        var json = JSONWriter()
        json.beginObject()
        if isRefusal { json.field("error", "not \(all)") }
        json.field("error_description", "\(all) and \(spelled)")
        json.field("scope", spelled)
        json.field("id_token", cookie)
        json.field("hint", all)
        json.key(token)
        json.value(refreshToken)
        json.key("data")
        json.beginObject()
        json.field("jwt", reply)
        json.endObject()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension TaintTests {
    @Test("the events of token requests contain none of a thousand tainted secrets")
    func tokens() async {
        var random = SeededRandom(seed: 2000)
        var (secrets, found, searched) = (0, 0, 0)
        for round in 0..<132 {
            let taints = Self.taints(&random, round)
            let text = await Self.refresh(taints, round)
            secrets += taints.ofRefresh.count
            searched += text.utf8.count
            for form in Self.found(taints.ofRefresh, in: text) {
                found += 1
                Issue.record("round \(round): `\(form)`")
            }
        }
        #expect(found == 0)
        #expect(secrets >= 1000)
        #expect(searched > 1_000_000)
    }

    /// Makes a call whose token is expired. Returns everything that can be printed about it.
    private static func refresh(_ taints: Taints, _ round: Int) async -> String {
        let transport = InMemoryTransport { request throws(TransportError) in
            if request.head.authority == "id.test" { return try taints.tokenReply(round) }
            return .bytes(status: .unauthorized)
        }
        let (recorder, spy, inspector) = (HARRecorder(), Spy(), SpiedInspector())
        let refresh = taints.refresh(round)
        let manager = TaintedRefresh.$refresh.withValue(refresh) {
            TestAPI.manager(
                TaintedRefresh.definition, transport: transport,
                credentials: .memory(taints.credential)
            ) { $0.listeners = [spy, recorder, inspector.listener] }
        }
        let operation = manager.operation(RequestBuilder(VaultAPI.APIMethod.form).finishRaw())
        var all = [texts(manager), texts(refresh.reply)]
        do {
            all.append(texts(try await operation.value))
        } catch {
            all.append(texts(error))
        }
        all += [texts(operation), texts(operation.attempts), spy.text]
        let har = recorder.data()
        let parsed = try? JSONSerialization.jsonObject(with: Data(har))
        all += [String(decoding: har, as: UTF8.self), texts(parsed as Any), await inspector.text]
        #expect(all.last?.contains("\"event\":\"sending\"") == true)
        #expect(spy.text.contains("token of Vault: curl"))
        return all.joined(separator: "\n")
    }
}
