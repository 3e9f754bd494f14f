#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import NIOHTTP1
    import TelexTransport

    extension HTTPClientRequest {
        /// Converts a request for the client.
        init(_ request: TransportRequest, _ upload: ClientUpload?) {
            let head = request.head
            self.init(url: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")")
            method = HTTPMethod(rawValue: head.method.rawValue)
            for field in head.headerFields {
                headers.add(name: field.name.rawName, value: field.value)
            }
            body = upload?.clientBody
        }
    }

    extension Transfer.Head {
        /// - Throws: `.other` if the status code does not have three digits.
        init(_ reply: HTTPClientResponse, to method: HTTPRequest.Method) throws(TransportError) {
            let status = Int(clamping: reply.status.code)
            guard 100...999 ~= status else {
                throw TransportError.invalidReply
            }
            var fields = HTTPFields()
            for (name, value) in reply.headers {
                guard let name = HTTPField.Name(name) else { continue }
                fields.append(HTTPField(name: name, value: value))
            }
            response = HTTPResponse(
                status: HTTPResponse.Status(code: status), headerFields: fields)
            // RFC 9110, 6.4.1: such a reply has no body, whatever its head declares.
            let mayHaveBody = method != .head && status != 204 && status != 304
            length = mayHaveBody ? fields.bodyLength : nil
            isWithoutBody = !mayHaveBody || fields[.contentLength] == "0"
        }
    }

    extension HTTPFields {
        /// The declared length of the body (RFC 9110, 8.6); `nil` if it is compressed, because
        /// bytes are counted after decompression.
        fileprivate var bodyLength: Int? {
            let coding = self[.contentEncoding]?.lowercased() ?? "identity"
            guard coding == "identity", self[.transferEncoding] == nil else { return nil }
            return self[.contentLength].flatMap { text in
                text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
            }
        }
    }
#endif
