import TelexRequests

extension APIRequest {
    /// Returns the request of a page. A request whose arguments say where the page begins is
    /// unchanged.
    func loading(_ position: PagePosition?) -> APIRequest {
        guard let position, position.isFollowed else { return self }
        var template = template
        template.follow(position)
        return APIRequest(
            RequestContent(
                template, expecting: content.expected,
                asksApp: content.asksApp, decode: content.decode, finish: content.finish))
    }
}

extension PagePosition {
    /// Whether a request has to be changed for the page, because no argument says where it begins.
    fileprivate var isFollowed: Bool {
        switch self {
        case .address, .query: true
        case .start, .offset, .page, .token: false
        }
    }
}

extension RequestTemplate {
    /// Changes the request to that of a page.
    mutating func follow(_ position: PagePosition) {
        switch position {
        case .start, .offset, .page, .token: break
        case .address(let address):
            path = [RequestField(name: "next page", content: .text(address))]
            query = []
            isWholeAddress = true
            isAddressFromReply = true
        case .query(let items):
            let replaced = query.filter { items[$0.name] != nil }
            query.removeAll { items[$0.name] != nil }
            query += items.sorted { $0.key < $1.key }.map { name, value in
                RequestField(
                    name: name, content: .text(value),
                    isSensitive: replaced.contains { $0.name == name && $0.isSensitive })
            }
        }
    }
}
