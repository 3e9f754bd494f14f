/// Methods that have nothing special: what most of generated code calls, spared from the defaults of
/// the initializer.
extension Endpoint {
    /// A method that is called by `GET`, at this path.
    public static func get(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .get, path.description)
    }

    /// A method that is called by `POST`, at this path.
    public static func post(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .post, path.description)
    }

    /// A method that is called by `PUT`, at this path.
    public static func put(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .put, path.description)
    }

    /// A method that is called by `PATCH`, at this path.
    public static func patch(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .patch, path.description)
    }

    /// A method that is called by `DELETE`, at this path.
    public static func delete(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .delete, path.description)
    }

    /// A method that is called by `HEAD`, at this path.
    public static func head(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .head, path.description)
    }

    /// A method that is called by `OPTIONS`, at this path.
    public static func options(_ path: StaticString) -> Endpoint {
        Endpoint(plain: .options, path.description)
    }
}
