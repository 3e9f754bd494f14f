import TelexRuntime

/// An API with an operation of every kind and short back-off times.
enum SoakAPI: APIDescription {
    typealias Parameters = NoParameters
    typealias ErrorCode = BenchErrorCode

    static let definition = APIDefinition(
        name: "Soak", servers: [Server("production", "http://127.0.0.1/")],
        auth: AuthRules(token: .bearer, expired: [.status(401)]),
        timeouts: Timeouts(silence: .milliseconds(500), total: .seconds(5)),
        retry: RetryPolicy(backoff: Backoff(initial: .milliseconds(5))))

    enum APIMethod: String, CaseIterable, APIMethodName {
        case user, fault, file, events, upload

        var endpoint: Endpoint {
            switch self {
            case .user: Endpoint(.get, "user/{id}")
            case .fault: Endpoint(.get, "fault/{id}", auth: .none)
            case .file: Endpoint(.get, "file", operation: OperationRules(kind: .download))
            case .events: Endpoint(.get, "events", operation: OperationRules(kind: .stream))
            case .upload: Endpoint(.put, "upload", operation: OperationRules(kind: .upload))
            }
        }
    }

    /// The byte that fills uploaded files and does not occur elsewhere in the body.
    static let uploadByte: UInt8 = 7

    static func user(_ id: Int) -> APIRequest<BenchUser> {
        var request = RequestBuilder(APIMethod.user)
        request.path("id", id)
        return request.finish { BenchUser.read(from: &$0) }
    }

    /// Requests the fault with this number.
    static func fault(_ number: Int) -> APIRequest<Void> {
        var request = RequestBuilder(APIMethod.fault)
        request.path("id", number)
        return request.finishEmpty()
    }

    static func file(to path: String) -> APIRequest<DownloadedFile> {
        RequestBuilder(APIMethod.file).finishDownload(to: path)
    }

    static func events() -> APIRequest<StreamEnd<BenchUser>> {
        RequestBuilder(APIMethod.events).finishStream(.serverSentEvents) {
            BenchUser.read(from: &$0)
        }
    }

    /// Uploads a file of this size. The server counts its bytes.
    static func upload(ofSize size: Int) -> APIRequest<Void> {
        var request = RequestBuilder(APIMethod.upload)
        request.query("size", size)
        request.part(
            "file", UploadFile(bytes: [UInt8](repeating: uploadByte, count: size), name: "f"))
        return request.finishEmpty()
    }
}
