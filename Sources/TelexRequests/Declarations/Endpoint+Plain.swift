/// Endpoints without special rules, for a description that is written by hand.
extension Endpoint {
    /// A `GET` method at this path.
    public static func get(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .get, path.description)
    }

    /// A `POST` method at this path.
    public static func post(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .post, path.description)
    }

    /// A `PUT` method at this path.
    public static func put(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .put, path.description)
    }

    /// A `PATCH` method at this path.
    public static func patch(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .patch, path.description)
    }

    /// A `DELETE` method at this path.
    public static func delete(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .delete, path.description)
    }

    /// A `HEAD` method at this path.
    public static func head(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .head, path.description)
    }

    /// An `OPTIONS` method at this path.
    public static func options(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .options, path.description)
    }
}
