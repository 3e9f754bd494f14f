import HTTPTypes
import TelexRuntime

extension Fault {
    static let credentialFaults =
        ["Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"y\"", "Negotiate"].map {
            challenge($0)
        } + [
            errorInSuccess, expiredFor(3), refreshSlow, refreshFailing, refreshHanging,
            refreshTokenReused, cookieSet,
        ]

    /// A 401 with a challenge.
    public static func challenge(_ challenge: String) -> Fault {
        Fault(
            "401 \(challenge.prefix { $0 != " " })",
            duty: "reports it like any other reply and asks for no credentials itself",
            Probe(.text("who?", status: 401)),
            Probe(.text("who?", status: 401), method: .post, body: .bytes([1])),
            replies: .text("who?", status: 401, fields: [.wwwAuthenticate: challenge]))
    }

    /// An expired token, reported with 200 and an error code in the body, as VK does.
    public static let errorInSuccess = Fault(
        "error 5 inside 200", duty: "checks the body before it trusts the status",
        probes: [Probe(.text(TokenService.Refusal.errorCode5.text))],
        makeHandler: { TokenService(refusal: .errorCode5).protecting { _ in .text("ok") } })

    /// A 401 `count` times, whatever the credentials, and then a normal reply.
    public static func expiredFor(_ count: Int) -> Fault {
        let refusals = [LoopbackReply](repeating: .text("who?", status: 401), count: count)
        let probes = (0..<count).map { _ in Probe(.text("who?", status: 401)) }
        return Fault(
            "401 \(count) times",
            duty: "refreshes once for all calls, and a limited number of times",
            probes: probes + [Probe(.text("ok"))]
        ) { LoopbackServer.inTurn(refusals + [.text("ok")]) }
    }

    /// A token endpoint that sends its reply in single bytes.
    public static let refreshSlow = Fault(
        "slow refresh", duty: "makes all calls wait for the one refresh in flight",
        refreshing("a", outcome: .text("{}")),
        replies: LoopbackReply.text("{}").dripped())

    /// A token endpoint that refuses the refresh token (RFC 6749, 5.2).
    public static let refreshFailing = Fault(
        "failing refresh",
        duty: "fails all waiting calls with the same error and notifies the app once",
        probes: [
            refreshing("unknown", outcome: .text(TokenService.invalidGrant, status: 400))
        ],
        makeHandler: { TokenService().refresh })

    /// A token endpoint that never answers.
    public static let refreshHanging = Fault(
        "hanging refresh", duty: "times out and fails all waiting calls",
        probes: [
            refreshing("a", outcome: .noReply(.timedOut), timeout: silenceTimeout)
        ],
        makeHandler: {
            let service = TokenService()
            service.setRefreshing(.hanging)
            return service.refresh
        })

    /// A refresh token for one use that is sent twice (RFC 9700, 4.14.2).
    public static let refreshTokenReused = Fault(
        "rotating refresh token", duty: "never sends a refresh token twice",
        probes: [
            refreshing(
                "refresh-1", outcome: .text(TokenService.Tokens(number: 2).text(expiresIn: 3600))),
            refreshing("refresh-1", outcome: .text(TokenService.invalidGrant, status: 400)),
        ],
        makeHandler: {
            let service = TokenService()
            service.issue()
            return service.refresh
        })

    /// A cookie that the app did not ask for. A transport must not send it back (400 if it does).
    public static let cookieSet = Fault(
        "cookie set", duty: "stores the cookie only if the app enables cookies",
        probes: [Probe(.text("ok")), Probe(.text("ok"))],
        makeHandler: {
            { request in
                request.fields[.cookie] == nil
                    ? .text("ok", fields: [.setCookie: "id=1; Path=/"])
                    : .text("a cookie came back", status: 400)
            }
        })

    private static func refreshing(
        _ token: String, outcome: Outcome, timeout: Duration = .seconds(600)
    ) -> Probe {
        Probe(
            outcome, method: .post, fields: [.contentType: "application/x-www-form-urlencoded"],
            body: .bytes(Array("grant_type=refresh_token&refresh_token=\(token)".utf8)),
            timeout: timeout)
    }
}
