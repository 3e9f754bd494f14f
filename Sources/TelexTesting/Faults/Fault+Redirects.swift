import HTTPTypes

extension Fault {
    static let redirectFaults = [
        redirectLoop, redirectToOtherOrigin, redirectToPlainHTTP, redirectToOddHost,
    ]

    /// A redirect to the same address.
    public static let redirectLoop = Fault(
        "redirect loop", duty: "stops after some redirects; a transport follows none",
        Probe(.text("", status: 302), path: "/loop"),
        replies: .bytes(status: 302, fields: [.location: "/loop"]))

    /// A redirect to another origin (RFC 6454, 4): this server under another host name.
    public static let redirectToOtherOrigin = Fault(
        "redirect to another origin", duty: "follows without credentials; a transport follows none",
        probes: [
            Probe(.text("", status: 302), fields: credentials),
            Probe(.text("", status: 302), method: .post, fields: credentials, body: .bytes([1])),
        ],
        makeHandler: {
            { request in
                let port = request.authority?.split(separator: ":").last ?? "80"
                return .bytes(status: 302, fields: [.location: "http://localhost:\(port)/there"])
            }
        })

    /// A redirect from https to http. An in-memory transport can play the https request.
    public static let redirectToPlainHTTP = Fault(
        "redirect from https to http", duty: "does not follow to an unencrypted address",
        Probe(.text("", status: 307), fields: credentials),
        replies: .bytes(status: 307, fields: [.location: "http://example.test/"]))

    /// A redirect to a host that is invalid or barely valid.
    public static let redirectToOddHost = Fault(
        "redirect to an odd host", duty: "refuses to follow; a transport follows none",
        probes: ["//[::1]:5/x", "//%5B/x", "//a%20b/x"].map {
            Probe(.text("", status: 302), fields: [.wanted: $0])
        }
    ) {
        { request in
            .bytes(status: 302, fields: [.location: request.fields[.wanted] ?? ""])
        }
    }

    private static let credentials: HTTPFields = [.authorization: "Bearer secret"]
}
