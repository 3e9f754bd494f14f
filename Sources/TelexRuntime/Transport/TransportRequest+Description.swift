import HTTPTypes

// What interceptors and transports are given has the token in it, and whatever else is secret: who
// prints it is shown whose it is and how much there is.

extension TransportRequest: RedactedDescription {
    /// The method, where it goes without what stands in it behind the host, the names of the fields and
    /// the size of the body.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "method": head.method.rawValue, "address": shownAddress,
            "fields": head.headerFields.map(\.name.rawName),
            "body": body.map(\.shownSize) ?? "none",
            "timeout": timeout,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }

    /// A path may have secrets in it as well as a query.
    private var shownAddress: String {
        let origin = "\(head.scheme ?? "")://\(Redactor.mask(address: head.authority ?? ""))"
        let path = head.path ?? "/"
        return path == "/" ? origin + path : "\(origin)/\(Redactor.mark)"
    }
}

extension TransportReply: RedactedDescription {
    /// The status, the names of the fields and the size of the body.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "status": head.status.code, "fields": head.headerFields.map(\.name.rawName),
            "body": body.shownSize,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension RequestBody: RedactedDescription {
    /// How many bytes will be sent.
    public var customMirror: Mirror { Mirror(self, children: ["size": shownSize]) }

    fileprivate var shownSize: String { length.shownAsSize }
}

extension RequestBody.Part: RedactedDescription {
    /// How many bytes it has.
    public var customMirror: Mirror {
        Mirror(self, children: ["size": Int?(length).shownAsSize])
    }
}

extension ReplyBody: RedactedDescription {
    /// How many bytes the reply declared.
    public var customMirror: Mirror { Mirror(self, children: ["size": shownSize]) }

    fileprivate var shownSize: String { length.shownAsSize }
}

extension Int? {
    fileprivate var shownAsSize: String { map { "\($0) bytes" } ?? "of unknown size" }
}
