import HTTPTypes
import TelexInspection
import TelexTesting
import TelexTransport

extension Inspector {
    /// The reply to a request that may not see or send calls; `nil` if it may.
    func refusal(of request: LoopbackRequest) -> LoopbackReply? {
        // A page of another site may have the browser send requests, also under a name of its own that
        // leads to this machine.
        let host = request.authority ?? ""
        if let origin = request.fields[.origin], origin != "http://\(host)" {
            return Self.text("requests of other sites are refused", status: 403)
        }
        if request.method == "POST", request.fields[.contentType] != InspectorLines.mediaType {
            return Self.text("expected Content-Type: \(InspectorLines.mediaType)", status: 415)
        }
        guard let code else {
            let name = host.prefix { $0 != ":" }
            if name == "127.0.0.1" || name == "localhost" { return nil }
            return Self.text("open it as http://127.0.0.1, or start it with --host", status: 403)
        }
        if code.isIn(request) { return nil }
        if request.method == "GET", request.target.hasPrefix("/?code=") {
            let sent = request.target.dropFirst(7)
            return sent.isEqualInConstantTime(to: code.text) ? welcome(code) : wrongCode
        }
        return wrongCode
    }

    private var wrongCode: LoopbackReply {
        Self.text("the pairing code is missing or wrong: the terminal shows it", status: 401)
    }

    /// Keeps the code in a cookie, and out of the address of the page.
    private func welcome(_ code: PairingCode) -> LoopbackReply {
        var fields = Self.fields("text/plain")
        fields[.location] = "/"
        fields[.setCookie] = "\(PairingCode.cookie)=\(code.text); HttpOnly; SameSite=Strict; Path=/"
        return .bytes(status: 303, fields: fields)
    }
}
