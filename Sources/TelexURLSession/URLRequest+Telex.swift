import Foundation
import HTTPTypes
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Seven days, because the exchange measures the idle time-out. Foundation's own timer is less
    /// exact, and that of corelibs-foundation may outlive its task.
    static let neverTimesOut: TimeInterval = 604_800

    /// Checks a request and converts it.
    init(checking request: TransportRequest) throws(TransportError) {
        try request.check()
        let head = request.head
        if request.body != nil, head.method == .get || head.method == .head {
            throw TransportError(.unsupported, "URLSession sends no body with \(head.method)")
        }
        let text = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
        guard let url = URL(string: text), url.host != nil else {
            throw .invalidRequest("the address of the request is not valid")
        }
        self.init(url: url, timeoutInterval: Self.neverTimesOut)
        httpMethod = head.method.rawValue
        for name in Set(head.headerFields.map(\.name)) {
            setValue(head.headerFields[name], forHTTPHeaderField: name.rawName)
        }
        // Without a type, Foundation would declare any body as a form. This is the meaning of a
        // missing type (RFC 9110, 8.3).
        if request.body != nil, head.headerFields[.contentType] == nil {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
    }
}

extension URLResponse {
    /// Whether another reply follows this one (RFC 9110, 15.2), such as 103 Early Hints.
    var isInterim: Bool {
        guard let status = (self as? HTTPURLResponse)?.statusCode else { return false }
        return 100...199 ~= status && status != 101
    }
}

extension SessionExchangeState.Head {
    /// - Throws: `.other` if `response` is not an HTTP reply with a status code of three digits, or
    ///   if the length of its body is ambiguous.
    init(_ response: URLResponse, hasBody: Bool) throws(TransportError) {
        guard let http = response as? HTTPURLResponse, 100...999 ~= http.statusCode else {
            throw TransportError.invalidReply
        }
        var fields = HTTPFields()
        for (name, value) in http.allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }) else { continue }
            fields.append(HTTPField(name: name, value: "\(value)"))
        }
        self.response = HTTPResponse(
            status: HTTPResponse.Status(code: http.statusCode), headerFields: fields)
        let declared = try fields.declaredLength()
        let mayHaveBody = hasBody && http.statusCode != 204 && http.statusCode != 304
        length = mayHaveBody && !fields.isCompressed ? declared : nil
    }
}

extension HTTPFields {
    /// Whether the received bytes differ from the declared ones, because they are counted after
    /// decompression.
    var isCompressed: Bool {
        self[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
    }

    /// Returns the declared length of the body (RFC 9112, 6.3); `nil` if there is none, or if the
    /// body is chunked. Foundation joins fields of the same name, and libraries below it accept one
    /// of several lengths, or the numeric prefix of an invalid one. The client and an intermediary
    /// could then disagree on where the next reply begins, so such lengths throw.
    fileprivate func declaredLength() throws(TransportError) -> Int? {
        guard self[.transferEncoding] == nil, let text = self[.contentLength] else { return nil }
        let lengths = Set(
            text.split(separator: ",", omittingEmptySubsequences: false).map(\.number))
        guard lengths.count == 1, let length = lengths.first ?? nil else {
            throw TransportError(.other, "the reply declares no valid length of its body")
        }
        return length
    }
}

extension Substring {
    /// The number, if the text consists of decimal digits with optional spaces around them.
    fileprivate var number: Int? {
        let digits = utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }
        return digits.allSatisfy { 0x30...0x39 ~= $0 }
            ? Int(String(decoding: digits.reversed(), as: UTF8.self)) : nil
    }
}
