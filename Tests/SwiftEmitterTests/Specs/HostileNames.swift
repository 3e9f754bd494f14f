/// Names with a meaning in Swift or in generated code.
enum HostileNames {
    /// Swift keywords, including contextual ones.
    static let keywords = words(
        """
        Any Protocol Self Type as associatedtype break case catch class continue default defer
        deinit do else enum extension fallthrough false fileprivate for func guard if import in
        init inout internal is let nil operator precedencegroup private protocol public repeat
        rethrows return self static struct subscript super switch throw throws true try typealias
        var where while actor any associativity async await borrowing consume consuming convenience
        copy didSet discard distributed dynamic each escaping final get indirect infix isolated lazy
        left macro mutating none nonisolated nonmutating open optional override package postfix
        precedence prefix required right sending set some unowned unsafe weak willSet yield
        available autoclosure Sendable main
        """)

    /// Names of generated code, of the runtime, and of members of every Swift value.
    static let generated = words(
        """
        json request reader options properties manager stub keys field value value0 value1 item body
        description debugDescription hash hashValue rawValue allKnown isKnown customMirror write
        read error result allCases endpoint api method reply errors isRead mapper validator
        requests Mirror encode decode count first string list id codingKeys apply finish known
        name url print fatalError abs max min map dictionary nothing report operation wrapped
        onGet auth erased validate appending data sensitive
        """)

    /// All names, unique ignoring case.
    static let all = unique(keywords + generated) { $0.lowercased() }

    /// Swift names as a spec can set them, with underscores and in lower case.
    static let exact = unique(
        (keywords + generated).filter { $0.first?.isLowercase == true && $0 != "self" }
            + ["field_", "value_", "json_", "json__", "item_", "options_", "request_", "stub_"]
    ) { $0 }

    /// The names that can be a field, a parameter, a method or an enumeration case.
    static let fields = all.filter {
        !["self", "type", "custommirror", "hashvalue"].contains($0.lowercased())
    }
    static let parameters = all.filter { !["self", "type"].contains($0.lowercased()) }
    static let methods = all.filter {
        !["self", "type", "init", "rawvalue", "endpoint", "allcases"].contains($0.lowercased())
    }
    static let cases = all.filter {
        !["self", "type", "init", "rawvalue", "allknown", "isknown", "hashvalue"]
            .contains($0.lowercased())
    }

    private static func unique(_ names: [String], by key: (String) -> String) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert(key($0)).inserted }
    }

    private static func words(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }
}
