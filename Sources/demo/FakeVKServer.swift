import TelexTesting

/// Imitates VK, including invalid replies.
enum FakeVKServer {
    static let answer: LoopbackServer.Handler = { request in
        switch request.path {
        case "/method/users.get": .json(users)
        case "/method/wall.get": .json(denied)
        case "/method/friends.get": .json(broken)
        default: .text("no such method", status: 404)
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
