/// How the pages of a method's list follow one another.
public struct PageRules: Sendable, Equatable {
    /// A value that each page has, or may have.
    public struct Place: Sendable, Equatable {
        /// The fields that lead to it, from the value of the method; none for that value itself.
        public var fields: [Field]
        /// Its type.
        public var value: Value

        /// The keys that lead to it; none for the value of the method itself.
        public var path: [String] { fields.flatMap(\.path) }

        /// Creates a place from its parts.
        public init(fields: [Field], value: Value) {
            self.fields = fields
            self.value = value
        }
    }

    /// How a page is found.
    public enum Form: Sendable, Equatable {
        /// The parameter has the number of items before the page.
        case offset(parameter: String, total: Place?)
        /// The parameter has the number of the page.
        case page(parameter: String, last: Place?)
        /// The parameter has what the page before gave.
        case token(parameter: String, Place)
        /// The parameter has what a header field of the page before gave.
        case headerToken(parameter: String, name: String)
        /// The parameter has a value of the last item of the page before, a list.
        case lastItem(parameter: String, Place)
        /// The page before has the address.
        case address(Place)
        /// The page before has the address in a link with this relation.
        case link(String)
        /// The page before has query items in a map.
        case merge(Place)
    }

    /// The list, or the map whose values are the items.
    public var items: Place
    /// How a page is found. Parameters have their Swift names.
    public var form: Form
    /// A Boolean that is false on the last page.
    public var more: Place?

    /// Creates rules from their parts.
    public init(items: Place, form: Form, more: Place? = nil) {
        self.items = items
        self.form = form
        self.more = more
    }

    /// The parameter that says where a page begins; nil if none does.
    public var parameter: String? {
        switch form {
        case .offset(let name, _), .page(let name, _), .token(let name, _),
            .headerToken(let name, _), .lastItem(let name, _):
            name
        case .address, .link, .merge: nil
        }
    }
}

extension Method {
    /// The Swift function that returns the pages of a method's list.
    ///
    /// - Parameter name: The Swift function of the method.
    public static func pagesName(_ name: String) -> String { name + "Pages" }
}
