/// A value that is read out of a method's replies without the rest.
public struct Extraction: Sendable, Equatable {
    /// A nested object or list that holds the value, from which it is also read.
    public struct Container: Sendable, Equatable {
        /// Its key in the reply.
        public var key: String
        /// The key in upper camel case.
        public var name: String
        /// The steps from the container to the value.
        public var path: [PathStep]

        /// Creates a container from its parts.
        public init(key: String, name: String, path: [PathStep]) {
            self.key = key
            self.name = name
            self.path = path
        }
    }

    /// The Swift function.
    public var name: String
    /// The end of the argument's label: the method in upper camel case, `Get` in `inGet`.
    public var methodName: String
    /// The steps from the value that `unwrap` leads to. Never empty.
    public var path: [PathStep]
    /// The type of one value; never nullable.
    public var value: Value
    /// Whether there may be no value; of a list of values, whether the list itself may be missing.
    public var mayMiss: Bool
    /// Whether errors hide what they found.
    public var isSensitive: Bool
    /// The innermost container with a key, if the value has one.
    public var container: Container?
    /// The documentation of the value.
    public var documentation: Documentation

    /// Creates an extraction from its parts.
    public init(
        name: String, methodName: String, path: [PathStep], value: Value, mayMiss: Bool,
        isSensitive: Bool, container: Container?, documentation: Documentation
    ) {
        self.name = name
        self.methodName = methodName
        self.path = path
        self.value = value
        self.mayMiss = mayMiss
        self.isSensitive = isSensitive
        self.container = container
        self.documentation = documentation
    }

    /// Whether the path leads to several values, which are read as a list.
    public var isList: Bool { path.contains(.each) }

    /// The label of the argument that is a whole reply.
    public var replyLabel: String { "in" + methodName }

    /// The label of the argument that is the container.
    public var containerLabel: String? { container.map { "\(replyLabel)From\($0.name)" } }
}
