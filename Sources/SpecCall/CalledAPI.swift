import SpecIR
import TelexJSON
import TelexRequests
import TelexRuntime

/// The API of the spec, in the form of generated code. A process calls one API.
enum CalledAPI: APIDescription {
    typealias Parameters = NoParameters
    typealias ErrorCode = AnyCode

    /// Set before the first call.
    static let current = Lock(APIDefinition(name: "", servers: []))
    static var definition: APIDefinition { current.withLock { $0 } }

    /// The parameters of every request are in each request already.
    struct NoParameters: DefaultParameters {
        func apply(to request: inout RequestBuilder) {}
    }

    /// The errors of the API are shown as they are.
    struct AnyCode: OpenEnum {
        let rawValue: String
        static var allKnown: [AnyCode] { [] }
    }
}

extension APIDefinition {
    /// What a single call needs of a spec. Each status is a reply, which the check by the spec judges.
    init(
        _ api: API, server: TelexRequests.Server, _ placement: TelexRequests.AuthRules.Placement?
    ) {
        self.init(
            name: api.name, servers: [server], reply: ReplyRules(status: [100...599]),
            auth: TelexRequests.AuthRules(token: placement), keepsCookies: false,
            limits: TelexRequests.ReplyLimits(bytes: api.limits.bytes, depth: api.limits.depth))
    }
}

extension TelexRequests.AuthRules.Placement {
    /// The place of a token.
    init(_ placement: SpecIR.AuthRules.Placement) {
        self =
            switch placement {
            case .query(let name): .query(name)
            case .header(let name, let prefix): .header(name, prefix: prefix)
            case .bearer: .bearer
            case .cookie(let name): .cookie(name)
            case .body(let name): .body(name)
            case .basic: .basic
            case .path(let name): .path(name)
            }
    }
}
