import SpecIR

/// Names of arguments that have one key and different places in the request.
extension ResolvedParameter {
    /// Puts the place in front of the name if an earlier argument has the name, as `bodyID` beside the
    /// `id` of the path.
    ///
    /// - Parameter others: The earlier parameters of the same key.
    mutating func nameApart(from others: [ResolvedParameter], _ namer: SwiftNamer) {
        let isTaken = others.contains {
            $0.name == name && $0.location != location && !$0.presence.isFixed
        }
        guard isTaken, !presence.isFixed, let name = namer.lowerCamel("\(place) \(key)") else {
            return
        }
        self.name = name
    }

    private var place: String {
        switch location {
        case .path: "path"
        case .query: "query"
        case .header: "header"
        case .form, .json, .part, .body: "body"
        }
    }
}
