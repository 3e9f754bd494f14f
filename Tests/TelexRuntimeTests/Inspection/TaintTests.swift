import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexInspection
@testable import TelexRuntime

/// A thousand secrets of all kinds are planted wherever a request can have one, and a server
/// repeats them wherever a reply can; then everything that can be printed is searched for them.
@Suite("A thousand tainted secrets")
struct TaintTests {
    /// The forms of a secret; the last kinds cannot be in a header field.
    private static let alphabets = [
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "aB3 &=+%/?#:@!$'()*,;~^|{}[]<>",
        "ключ🔑密碼éß", "\"\\/'`bnrtfu0041",
    ]
    private static let placements: [AuthRules.Placement] = [
        .query("access_token"), .bearer, .header("X-Key", prefix: "Key"), .cookie("sid"),
        .body("token"),
    ]

    /// Returns everything that could be printed about a value.
    static func texts(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value)\n\(String(reflecting: value))\n\(dumped)"
    }

    /// Every encoding of a secret.
    static func forms(_ secret: String) -> [String] {
        var json = JSONWriter()
        json.value(secret)
        let escaped = String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
        var again = JSONWriter()
        again.value(escaped)
        let escapedTwice = String(decoding: again.bytes.dropFirst().dropLast(), as: UTF8.self)
        let units = secret.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return [
            secret, PercentEncoding.component(secret), PercentEncoding.form(secret), escaped,
            escapedTwice, escapedTwice.replacing("/", with: "\\\\\\/"),
            escaped.replacing("/", with: "\\/"), units.joined(), Taints.base64(secret),
            PercentEncoding.component(PercentEncoding.component(secret)),
            lowerHex(PercentEncoding.component(secret)), XMLEntity.escaped(secret),
            XMLEntity.escaped(XMLEntity.escaped(secret)),
        ]
    }

    /// `%C3` as `%c3`.
    private static func lowerHex(_ text: String) -> String {
        let pieces = text.split(separator: "%", omittingEmptySubsequences: false)
        let rest = pieces.dropFirst().map { "%" + $0.prefix(2).lowercased() + $0.dropFirst(2) }
        return (pieces[0] + rest.joined())
    }

    private static func taint(_ random: inout SeededRandom, header: Bool, _ index: Int) -> String {
        let alphabet = Array(alphabets[index % (header ? 2 : 4)])
        let length = index % 7 == 0 ? 3 : Int.random(in: 8...40, using: &random)
        let text = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "x" }
        // One letter that is in no other text, so that even three letters are no coincidence.
        return String(text).trimmingCharacters(in: .whitespaces) + (header ? "~Q~" : "§")
    }

    static func taints(_ random: inout SeededRandom, _ round: Int) -> Taints {
        func any(_ index: Int) -> String { taint(&random, header: false, round + index) }
        func plain(_ index: Int) -> String { taint(&random, header: true, round + index) }
        return Taints(
            token: plain(0), refreshToken: any(1), query: any(2), header: plain(3),
            cookie: plain(0).replacing(";", with: "_").replacing(",", with: "_"),
            password: any(5), body: any(6), nested: any(7), card: any(8), path: any(9),
            reply: any(10))
    }

    /// A reply that repeats the received secrets.
    private static func reply(
        _ kind: Int, _ planted: [String], _ taints: Taints, _ count: Int
    ) throws(TransportError) -> TransportReply {
        let all = planted.joined(separator: " ")
        // A third of the encodings in each round, others in the next.
        let spelled = planted.flatMap { secret in
            forms(secret).enumerated().filter { $0.offset % 3 == kind % 3 }.map(\.element)
        }.joined(separator: " ")
        var json = JSONWriter()
        json.beginObject()
        json.field("code", taints.token)
        json.field("message", "no \(all) and \(spelled)")
        json.field("pin", taints.reply)
        json.field("note", spelled)
        json.endObject()
        let text = String(decoding: json.bytes, as: UTF8.self)
        var fields: HTTPFields = [
            .setCookie: "sid=\(taints.cookie); HttpOnly", .contentType: "application/json",
            .location: "/next/\(PercentEncoding.component(all))?t=\(taints.header)",
            .server: "echo \(taints.token) \(taints.header) \(taints.cookie)",
        ]
        if let name = HTTPField.Name("X-Request-ID") { fields[name] = taints.token }
        switch kind / 4 % 6 {
        case 0: return .json(text, fields: fields)
        case 1: return .json(text, status: .badRequest, fields: fields)
        case 2 where count == 1: return .json(text, status: .found, fields: fields)
        case 3: throw TransportError(.other, "cannot reach \(all)")
        case 4: return .json(#"{"note":[{"\#(taints.token)":nope \#(text)"#, fields: fields)
        case 5:
            return .chunks(
                [json.bytes], length: json.bytes.count + 1, then: .other(all), fields: fields)
        default: return .json(#"{"pin":1,"note":"\#(spelled.count)"}"#, fields: fields)
        }
    }

    @Test("1000 tainted secrets are in no event, record, HAR, command line, error or description")
    func nothingIsFound() async {
        var random = SeededRandom(seed: 1000)
        var (secrets, found, searched) = (0, 0, 0)
        for round in 0..<132 {
            let taints = Self.taints(&random, round)
            let method = VaultAPI.APIMethod.allCases[round % 4]
            let placement = Self.placements[round / 4 % 5]
            let text = await VaultAPI.$placement.withValue(placement) {
                await Self.play(method, taints, round)
            }
            let all = taints.planted(in: method) + [taints.reply]
            secrets += all.count
            searched += text.utf8.count
            for form in Self.found(all, in: text) {
                found += 1
                Issue.record("round \(round), \(method): `\(form)`")
            }
        }
        #expect(found == 0)
        #expect(secrets >= 1000)
        #expect(searched > 1_000_000)
    }

    /// The secrets in a text, in any encoding.
    static func found(_ secrets: [String], in text: String) -> [String] {
        let lines = Set(text.split(separator: "\n"))
        let bytes = Data(lines.joined(separator: "\n").utf8)
        return secrets.flatMap { Set(forms($0)) }.filter { bytes.range(of: Data($0.utf8)) != nil }
    }

    /// Makes a call. Returns everything that can be printed about it.
    private static func play(
        _ method: VaultAPI.APIMethod, _ taints: Taints, _ round: Int
    ) async -> String {
        let count = Lock(0)
        let transport = InMemoryTransport { request throws(TransportError) in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return try reply(round, taints.planted(in: method), taints, number)
        }
        let recorder = HARRecorder()
        let spy = Spy()
        let inspector = SpiedInspector()
        let manager = TestAPI.manager(
            VaultAPI.definition, transport: transport,
            credentials: .memory(
                Credential(token: taints.token, refreshToken: taints.refreshToken))
        ) { $0.listeners = [spy, recorder, inspector.listener] }
        let request = taints.request(method)
        let operation = manager.operation(request)
        var all = [texts(request), texts(operation), texts(manager), request.description]
        do {
            all.append(texts(try await operation.value))
        } catch {
            all.append(texts(error))
        }
        all += [texts(operation), texts(operation.attempts), spy.text]
        let har = recorder.data()
        let parsed = try? JSONSerialization.jsonObject(with: Data(har))
        all += [String(decoding: har, as: UTF8.self), texts(parsed as Any), await inspector.text]
        // A request that is refused is never sent.
        #expect(all.last?.contains("\"event\":\"started\"") == true)
        #expect(spy.text.contains(Redactor.mark))
        return all.joined(separator: "\n")
    }
}

/// Records everything that a listener receives.
final class Spy: APIEventListener {
    let bodyLimit = 1 << 20
    private let log = Log()

    var text: String { log.text }

    func handle(_ event: APIEvent) {
        log.add(TaintTests.texts(event))
        if case .sending(let request) = event.kind { log.add(request.curl) }
    }
}

extension TransportError {
    fileprivate static func other(_ text: String) -> TransportError {
        TransportError(.other, "lost \(text)")
    }
}
