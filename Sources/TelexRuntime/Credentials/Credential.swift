import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What proves to an API who is calling. No text made of it holds a secret.
public struct Credential: Sendable, Hashable {
    /// What requests carry; no call is sent with an empty one, which counts as none.
    public var token: String
    /// Facts that came with the token and that requests may use: in a spec, `$token.user_id` is
    /// the value named `user_id` (`$token.access_token` is ``token`` and `$token.refresh_token` is
    /// ``refreshToken``). Those with the name of a secret, such as `id_token`, are taken out
    /// of every text that is made of a call; others are facts, which a request shows like any other
    /// parameter.
    public var values: [String: String]
    /// When the token stops being good; nil if that is not known.
    public var expiry: Date?
    /// What a new token can be had for.
    public var refreshToken: String?

    /// The login that it came of, which refreshes keep; nil if that is not known.
    var login: String?

    /// Makes a credential.
    public init(
        token: String, values: [String: String] = [:], expiry: Date? = nil,
        refreshToken: String? = nil
    ) {
        self.token = token
        self.values = values
        self.expiry = expiry
        self.refreshToken = refreshToken
    }

    /// What the token allows, if that came with it: the words of the value named `scope` (RFC 6749,
    /// section 3.3).
    public var scopes: [String] {
        values["scope"]?.split(separator: " ").map(String.init) ?? []
    }

    /// The names of facts that say whose a token is, in small letters without separators; `sub` is
    /// that of OpenID Connect (Core, section 5.1). An account, a customer or an owner may be shared by
    /// many people, and a `login` be the way in which somebody has logged in.
    private static let names: Set<String> = [
        "sub", "userid", "uid", "username", "email", "memberid", "profileid", "personid",
    ]

    /// Whether a fact of this name tells one person from another, and stays the same as long as somebody
    /// is logged in.
    static func namesPerson(_ name: String) -> Bool {
        names.contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
    }

    /// Whether a fact says whose it is.
    var namesPerson: Bool { values.keys.contains(where: Self.namesPerson) }

    /// What `$token.…` stands for in a spec: the token, the refresh token, or a fact. An empty token is
    /// none; a fact may be empty.
    func value(named name: String) -> String? {
        switch name {
        case "access_token": token.isEmpty ? nil : token
        case "refresh_token": refreshToken?.isEmpty == true ? nil : refreshToken
        default: values[name]
        }
    }

    /// Whether the token's time was over at this moment.
    public func isExpired(at moment: Date) -> Bool {
        expiry.map { $0 <= moment } ?? false
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says how much there is, never what it is: even the name of a fact is the server's own text.
    public var description: String {
        let facts =
            values.isEmpty ? "" : "; \(values.count) \(values.count == 1 ? "fact" : "facts")"
        let refresh = refreshToken == nil ? "" : ", refreshable"
        return "credential (\(Redactor.mark)\(facts)\(refresh))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["credential": description]) }
}

/// The form in which stores keep a credential; dates are seconds since 1970.
extension Credential: JSONReadable, JSONWritable {
    private static let keys = JSONKeys(
        required: ["token", "values"], optional: ["expiry", "refresh_token", "login"], nullable: [],
        sensitive: ["token", "values", "refresh_token"])

    /// Reads what ``write(to:)`` wrote.
    public static func read(from json: inout JSONReader) -> Credential? {
        var credential = Credential(token: "")
        var expiry: Double?
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&credential.token)
            case 1: json.map(&credential.values)
            case 2: json.double(&expiry)
            case 3: json.string(&credential.refreshToken)
            default: json.string(&credential.login)
            }
        }
        guard json.endObject() else { return nil }
        credential.expiry = expiry.map(Date.init(timeIntervalSince1970:))
        return credential
    }

    /// Writes every part of the credential, in clear.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("token", token, sensitive: true)
        json.field("values", values, sensitive: true)
        json.field("expiry", expiry?.timeIntervalSince1970)
        json.field("refresh_token", refreshToken, sensitive: true)
        json.field("login", login)
        json.endObject()
    }
}
