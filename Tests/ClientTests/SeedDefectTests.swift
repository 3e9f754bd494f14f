import Foundation
import HTTPTypes
import TelexFoundation
import TelexJSON
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing
import VKClient

/// The defects of the clients that this one was modelled on, by their numbers.
@Suite("Defects of older clients that must not recur")
struct SeedDefectTests {
    let vk = ScriptedVKServer()

    /// A client whose requests a script answers.
    private func client(_ script: @escaping InMemoryTransport.Script) -> APIManager<VK> {
        client(InMemoryTransport(script))
    }

    private func client(
        _ transport: any Transport, _ credentials: any CredentialStore = .memory(loggedIn)
    ) -> APIManager<VK> {
        APIManager<VK>(transport: transport, credentials: credentials)
    }

    private static let loggedIn = Credential(token: "old", values: ["user_id": "7"])

    // MARK: Requests

    @Test("D1: each argument is sent under its own name")
    func names() async throws {
        _ = try await vk.manager().photos.getWallUploadServer(groupID: 5).value
        let query = try #require(vk.requests("photos.getWallUploadServer").first?.query)
        #expect(query["group_id"] == "5" && query["user_id"] == nil && query["groupID"] == nil)
        let save = vk.manager().photos.saveWallPhoto(
            photo: "p", server: 1, hash: "hash2", groupID: 4, latitude: 5, longitude: 6,
            caption: "c")
        _ = try await save.value
        let form = try #require(vk.requests("photos.saveWallPhoto").first?.form)
        let numbers = ["server", "group_id", "latitude", "longitude"].map { form[$0] }
        #expect(numbers.compactMap { $0.flatMap(Double.init) } == [1, 4, 5, 6])
        #expect([form["photo"], form["hash"], form["caption"]] == ["p", "hash2", "c"])
    }

    @Test("D2: no argument is ignored")
    func arguments() async throws {
        let request = FriendsRequests.get(
            userID: 1, order: .name, listID: 2, count: 3, offset: 4, fields: [.city], nameCase: .gen
        )
        let path = try await client { _ in .json("") }.httpRequest(for: request).path ?? ""
        for part in [
            "user_id=1", "order=name", "list_id=2", "count=3", "offset=4", "fields=city",
            "name_case=gen",
        ] {
            #expect(path.split { "?&".contains($0) }.contains(Substring(part)), "\(path)")
        }
    }

    @Test("D3: every method is reached by its name", arguments: VK.APIMethod.allCases)
    func dispatch(_ method: VK.APIMethod) async throws {
        let photo = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-\(UUID().uuidString).png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: photo)
        defer { try? FileManager.default.removeItem(at: photo) }
        let properties: Properties =
            switch method {
            case .photosUpload:
                ["upload_url": "https://upload.vk.test/1", "photo": .string(photo.path)]
            case .photosSaveWallPhoto: ["photo": "p"]
            case .wallPost: ["message": "a"]
            default: [:]
            }
        let request = try VK.request(method, properties: properties)
        #expect(request.method == method.rawValue)
        let head = try await client { _ in .json("") }.httpRequest(for: request)
        #expect(head.method == request.endpoint.method)
        let name = method == .photosUpload ? "/1" : "/" + request.endpoint.path
        #expect(head.path?.prefix { $0 != "?" }.hasSuffix(name) == true)
    }

    @Test("D4: an argument replaces the default, even an empty one")
    func defaults() async throws {
        let client = client { _ in .json("") }
        for (fields, expected) in [([UserField.city], "city"), ([], "")] {
            let request = UsersRequests.get(userIDs: ["1"], fields: fields, nameCase: .nom)
            let path = try await client.httpRequest(for: request).path ?? ""
            let items = try #require(URLComponents(string: path)?.queryItems)
            #expect(items.first { $0.name == "fields" }?.value == expected)
            #expect(!path.contains("photo_"))
        }
    }

    @Test("D5: no argument of a call leaks into a later or concurrent one")
    func leak() async throws {
        let manager = vk.manager()
        let loaded = manager.wall.post(
            ownerID: 99, message: "first", attachments: ["photo1_1"], lat: 1, long: 2, guid: "g")
        let bare = manager.wall.post(message: "second")
        async let both = (loaded.value, bare.value)
        _ = try await both
        _ = try await manager.wall.post(message: "third").value
        let posts = vk.requests("wall.post").map(\.form)
        for message in ["second", "third"] {
            let post = try #require(posts.first { $0["message"] == message })
            #expect(post["owner_id"] == "7")
            #expect(["attachments", "lat", "long", "guid"].allSatisfy { post[$0] == nil })
        }
    }

    @Test("D6: an invalid call is an operation that fails with its violations")
    func impossible() async throws {
        let operation = vk.manager().photos.saveWallPhoto(photo: "")
        let error = await #expect(throws: APIError.self) { try await operation.value }
        #expect(error?.phase == .build && error?.violations.map(\.path) == ["photo"])
        #expect(vk.calls.isEmpty)
    }

    @Test("D7: attachments are separated by commas")
    func attachments() async throws {
        _ = try await vk.manager().wall.post(attachments: ["photo7_1", "photo7_2"]).value
        #expect(vk.requests("wall.post").first?.form["attachments"] == "photo7_1,photo7_2")
    }

    @Test("D13: methods that change something send a POST with values in the body")
    func writes() async throws {
        let changing = VK.APIMethod.allCases.filter { method in
            ["post", "save", "upload"].contains { method.rawValue.contains(".\($0)") }
        }
        #expect(changing == [.photosUpload, .photosSaveWallPhoto, .wallPost])
        let properties: [VK.APIMethod: Properties] = [
            .photosUpload: ["upload_url": "https://upload.vk.test/1", "photo": "a.png"],
            .photosSaveWallPhoto: ["photo": "p"],
        ]
        for method in changing {
            let request = try VK.request(method, properties: properties[method] ?? [:])
            #expect(request.endpoint.method == .post)
        }
        _ = try await vk.manager().wall.post(message: "hidden").value
        let post = try #require(vk.requests("wall.post").first)
        #expect(post.head.method == .post && post.form["message"] == "hidden")
        #expect(post.head.path?.contains("hidden") == false)
    }

    @Test(
        "D21: a multipart body has single line ends, and empty lines only before data")
    func multipart() async throws {
        let data = Array("a\r\n\r\nb".utf8)
        let photo = UploadFile(bytes: data, name: "a.png", type: "image/png")
        let address = try #require(URL(string: "https://upload.vk.test/upload?ticket=1"))
        _ = try await vk.manager().photos.upload(uploadURL: address, photo: photo).value
        let upload = try #require(vk.requests("upload").first)
        let type = try #require(upload.head.headerFields[.contentType])
        let boundary = try #require(type.components(separatedBy: "boundary=").last)
        #expect(
            upload.text == "--\(boundary)\r\n"
                + "Content-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n"
                + "Content-Type: image/png\r\n\r\na\r\n\r\nb\r\n--\(boundary)--\r\n")
    }

    @Test("D23: the token is sent with every request, and a missing one is an error")
    func token() async throws {
        _ = try await vk.manager().wall.post(message: "a").value
        #expect(vk.requests("wall.post").first?.query["access_token"] == "old")
        let transport = InMemoryTransport { _ in .json("") }
        let loggedOut = client(transport, .memory)
        let error = await #expect(throws: APIError.self) { try await loggedOut.wall.get().value }
        #expect(error?.reason == .noCredential)
        #expect(transport.requests.isEmpty)
    }

    @Test("D24: a query is escaped without a trailing `&`, and the method is in capitals")
    func query() async throws {
        let name = "a&b=c d/é+%?#"
        let request = UsersRequests.get(userIDs: [name, "2"], fields: [.city], nameCase: .nom)
        let head = try await client { _ in .json("") }.httpRequest(for: request)
        let path = try #require(head.path)
        #expect(path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !path.contains("#"))
        #expect(
            !path.hasSuffix("&") && !path.contains("&&") && path.hasPrefix("/method/users.get?"))
        // A server decodes first `+`, then the percent signs.
        let items = path.drop { $0 != "?" }.dropFirst().split(separator: "&").map(String.init)
        let value = try #require(items.first { $0.hasPrefix("user_ids=") }?.dropFirst(9))
        let decoded = value.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
        #expect(decoded == "\(name),2")
        #expect(head.method.rawValue == "GET")
    }

    // MARK: Replies

    @Test("D19: no other value replaces one that is missing at its key path")
    func keypath() async throws {
        let reply = #"{"post_id": 3, "data": {"post_id": 4}}"#
        let manager = client { _ in .json(reply) }
        let error = await #expect(throws: APIError.self) {
            try await manager.wall.post(message: "a").value
        }
        #expect(error?.violations.map(\.path) == ["response"])
        #expect(VK.validate(Array(reply.utf8), from: .wallPost).isValid == false)
    }

    @Test(
        "D20: numbers are read exactly, and other values are refused",
        arguments: [
            ("3", 3), ("-42", -42), ("9007199254740993", 9_007_199_254_740_993), ("3.5", nil),
            ("\"3\"", nil), ("1e400", nil), ("99999999999999999999", nil), ("true", nil),
        ])
    func numbers(text: String, expected: Int?) async throws {
        let manager = client { _ in .json(#"{"response": {"post_id": \#(text)}}"#) }
        let value = try? await manager.wall.post(message: "a").value.postID
        #expect(value == expected)
    }

    @Test("D22: statuses at the edges of their classes are classified correctly")
    func statuses() async throws {
        for (status, fault) in [(499, APIError.Fault.caller), (599, .server), (300, .server)] {
            let manager = client { _ in .json("{}", status: .init(code: status)) }
            let error = await #expect(throws: APIError.self) { try await manager.wall.get().value }
            #expect(error?.status == status && error?.fault == fault)
        }
        let fine = client { _ in .json(#"{"response": {"post_id": 1}}"#, status: .init(code: 299)) }
        #expect(try await fine.wall.post(message: "a").value.postID == 1)
    }

    @Test("D22: cancelling frees the operation's slot in a queue")
    func slot() async throws {
        let began = Gate()
        vk.meet { sent throws(TransportError) in
            guard sent.query["count"] == "1" else { return nil }
            began.open()
            await Gate().wait()
            throw .cancelled
        }
        let manager = vk.manager()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let stuck = manager.wall.get(count: 1).foundationOperation
        queue.addOperation(stuck)
        await began.wait()
        stuck.cancel()
        let next = manager.wall.post(message: "next")
        await withCheckedContinuation { done in
            let operation = next.foundationOperation
            operation.completionBlock = { done.resume() }
            queue.addOperation(operation)
        }
        #expect(stuck.isFinished && next.state == .succeeded)
    }
}
