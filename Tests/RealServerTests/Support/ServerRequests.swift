import Foundation
import RuntimeTestSupport
import TelexRuntime

enum ServerRequests {
    // MARK: The Flask app

    static func login() -> APIRequest<LoginReply> {
        var request = RequestBuilder(TestAPI.APIMethod.login)
        request.form("grant_type", "password")
        request.form("username", "ann")
        request.form("password", "password", sensitive: true)
        request.form("client_id", "app")
        request.form("client_secret", "app-secret", sensitive: true)
        return request.finish()
    }

    static func control(expire: Int? = nil, uses: Int? = nil) -> APIRequest<TokenCounters> {
        var request = RequestBuilder(TestAPI.APIMethod.control)
        request.form("expire", expire)
        request.form("uses", uses)
        return request.finish()
    }

    static func me(_ number: Int) -> APIRequest<UserReply> {
        var request = RequestBuilder(TestAPI.APIMethod.me)
        request.query("n", number)
        return request.finish()
    }

    static func change(_ number: Int) -> APIRequest<UserReply> {
        var request = RequestBuilder(TestAPI.APIMethod.change)
        request.form("n", number)
        return request.finish()
    }

    static func raw(_ file: UploadFile) -> APIRequest<ReceivedBody> {
        var request = RequestBuilder(TestAPI.APIMethod.raw)
        request.file(file)
        return request.finish()
    }

    static func upload(_ file: UploadFile, title: String) -> APIRequest<ReceivedBody> {
        var request = RequestBuilder(TestAPI.APIMethod.upload)
        request.part("title", title)
        request.part("file", file)
        return request.finish()
    }

    // MARK: nginx

    static func get(_ place: String, _ name: String) -> APIRequest<EchoReply> {
        at(.get, place, name).finish()
    }

    static func bytes(_ place: String, _ name: String) -> APIRequest<Data> {
        at(.get, place, name).finishRaw()
    }

    static func secret(_ place: String, _ name: String) -> APIRequest<EchoReply> {
        at(.secret, place, name).finish()
    }

    static func post(_ place: String, _ name: String) -> APIRequest<EchoReply> {
        var request = at(.post, place, name)
        request.form("text", "words")
        return request.finish()
    }

    static func put(_ file: UploadFile, _ place: String, _ name: String) -> APIRequest<Void> {
        var request = at(.put, place, name)
        request.file(file)
        return request.finishEmpty()
    }

    static func download(
        _ place: String, _ name: String, to path: String
    ) -> APIRequest<DownloadedFile> {
        at(.download, place, name).finishDownload(to: path)
    }

    private static func at(
        _ method: TestAPI.APIMethod, _ place: String, _ name: String
    ) -> RequestBuilder {
        var request = RequestBuilder(method)
        request.path("place", place)
        request.path("name", name)
        return request
    }
}
