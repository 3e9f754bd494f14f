import HTTPTypes

// Requests and replies contain tokens and other secrets, so that their descriptions show only names
// and sizes.

extension TransportRequest: RedactedDescription {
    /// The method, the address without path and query, the names of the fields and the size of the
    /// body.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "method": head.method.rawValue, "address": redactedAddress,
            "fields": head.headerFields.map(\.name.rawName),
            "body": body.map(\.sizeText) ?? "none",
            "timeout": timeout,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }

    /// The origin; the path is redacted, because it may contain secrets, as a query may.
    private var redactedAddress: String {
        let origin = "\(head.scheme ?? "")://\(Address.masked(head.authority ?? ""))"
        let path = head.path ?? "/"
        return path == "/" ? origin + path : "\(origin)/\(Redacted.text)"
    }
}

extension TransportReply: RedactedDescription {
    /// The status, the names of the fields and the size of the body.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "status": head.status.code, "fields": head.headerFields.map(\.name.rawName),
            "body": body.sizeText,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension RequestBody: RedactedDescription {
    /// The number of bytes to send.
    public var customMirror: Mirror { Mirror(self, children: ["size": sizeText]) }

    fileprivate var sizeText: String { length.asSizeText }
}

extension RequestBody.Part: RedactedDescription {
    /// The length in bytes.
    public var customMirror: Mirror {
        Mirror(self, children: ["size": Int?(length).asSizeText])
    }
}

extension ReplyBody: RedactedDescription {
    /// The declared length in bytes.
    public var customMirror: Mirror { Mirror(self, children: ["size": sizeText]) }

    fileprivate var sizeText: String { length.asSizeText }
}

extension Int? {
    fileprivate var asSizeText: String { map { "\($0) bytes" } ?? "of unknown size" }
}
