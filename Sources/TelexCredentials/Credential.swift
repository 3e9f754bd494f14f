import TelexInspection
import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The credential of a user of an API. No description of it contains a secret.
public struct Credential: Sendable, Hashable {
    /// The token that requests carry. An empty token counts as none, so no call is sent with it.
    public var token: String
    /// Values that came with the token and that requests may use. In a spec, `$token.user_id` is
    /// the value named `user_id`; `$token.access_token` is ``token``, and `$token.refresh_token` is
    /// ``refreshToken``. Values with the name of a secret, such as `id_token`, are redacted in
    /// every text about a call. Others are shown in requests like any other parameter.
    public var values: [String: String]
    /// The time at which the token expires; `nil` if it is unknown.
    public var expiry: Date?
    /// The refresh token.
    public var refreshToken: String?

    /// The identity of the login, which refreshes keep; `nil` if it is unknown.
    package var login: String?

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

    /// The scopes of the token: the words of the value named `scope` (RFC 6749, section 3.3); empty
    /// if there is none.
    public var scopes: [String] {
        values["scope"]?.split(separator: " ").map(String.init) ?? []
    }

    /// The names of values that identify the user, in lower case and without separators; `sub` is
    /// from OpenID Connect (Core, section 5.1). Names such as `account`, `customer` and `owner` are
    /// missing because several users may share them, and `login` because it may name the login
    /// method.
    private static let names: Set<String> = [
        "sub", "userid", "uid", "username", "email", "memberid", "profileid", "personid",
    ]

    /// Whether a value of this name identifies one user and stays the same for the duration of a
    /// login.
    package static func identifiesUser(_ name: String) -> Bool {
        names.contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
    }

    /// Whether any value identifies the user.
    package var identifiesUser: Bool { values.keys.contains(where: Self.identifiesUser) }

    /// Returns the value of `$token.name` in a spec: the token, the refresh token, or one of
    /// ``values``. An empty token counts as missing; an empty value does not.
    package func value(named name: String) -> String? {
        switch name {
        case "access_token": token.isEmpty ? nil : token
        case "refresh_token": refreshToken?.isEmpty == true ? nil : refreshToken
        default: values[name]
        }
    }

    /// Whether the token is expired at this moment.
    public func isExpired(at moment: Date) -> Bool {
        expiry.map { $0 <= moment } ?? false
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A summary without content: even the name of a value is chosen by the server.
    public var description: String {
        let facts =
            values.isEmpty ? "" : "; \(values.count) \(values.count == 1 ? "fact" : "facts")"
        let refresh = refreshToken == nil ? "" : ", refreshable"
        return "credential (\(Redactor.mark)\(facts)\(refresh))"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["credential": description]) }
}

/// The serialisation for stores; dates are in seconds since 1970.
extension Credential: JSONReadable, JSONWritable {
    private static let keys = JSONKeys(
        required: ["token", "values"], optional: ["expiry", "refresh_token", "login"], nullable: [],
        sensitive: ["token", "values", "refresh_token"])

    /// Reads a credential that ``write(to:)`` has written.
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

    /// Writes the whole credential, unencrypted.
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
