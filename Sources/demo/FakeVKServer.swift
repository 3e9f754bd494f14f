import TelexTesting

/// Imitates VK, including invalid replies.
enum FakeVKServer {
    static let answer: LoopbackServer.Handler = { request in
        switch request.path {
        case "/method/users.get": .json(users)
        case "/method/wall.get": .json(denied)
        case "/method/friends.get": .json(broken)
        default:
            photoReply(
                to: request.path.split(separator: "/").last.map(String.init) ?? "", ticket: "1",
                uploadingTo: "http://\(request.authority ?? "")/upload"
            ).map(LoopbackReply.json) ?? .text("no such method", status: 404)
        }
    }

    /// The reply of a method that posts a photo on the wall of user 7; nil if it is none.
    ///
    /// - Parameters:
    ///   - method: The last part of its path.
    ///   - ticket: The number of the photo.
    ///   - address: The address of uploads.
    static func photoReply(
        to method: String, ticket: String, uploadingTo address: String
    ) -> String? {
        switch method {
        case "photos.getWallUploadServer":
            let url = "\(address)?ticket=\(ticket)"
            return #"{"response": {"upload_url": "\#(url)", "album_id": -14, "user_id": 7}}"#
        case "upload":
            return #"{"server": 9, "photo": "photo of \#(ticket)", "hash": "hash\#(ticket)"}"#
        case "photos.saveWallPhoto":
            return """
                {"response": [{"id": 10\(ticket), "owner_id": 7, "album_id": -14, "date": 1700000000,
                 "has_tags": false}]}
                """
        case "wall.post": return #"{"response": {"post_id": 55}}"#
        default: return nil
        }
    }

    private static let users = """
        {"response": [
          {"id": 1, "first_name": "Pavel", "last_name": "Durov", "photo_50": "https://vk.com/1.jpg",
           "last_seen": {"time": 1767225600, "platform": 2}},
          {"id": 2, "first_name": "Alexandra", "last_name": "Vladimirova"}
        ]}
        """

    private static let denied = """
        {"error": {"error_code": 15, "error_msg": "Access denied: user hid his wall"}}
        """

    private static let broken = """
        {"response": {"count": "two", "items": [
          {"id": 3, "first_name": "Ada", "sex": 1},
          {"id": "four", "first_name": 4},
          {"first_name": "Nobody"}
        ]}}
        """
}

extension LoopbackReply {
    fileprivate static func json(_ text: String) -> LoopbackReply {
        .text(text, fields: [.contentType: "application/json"])
    }
}
