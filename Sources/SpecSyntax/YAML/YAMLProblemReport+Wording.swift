extension YAMLProblemReport {
    /// The messages of libyaml, and their replacements.
    struct Wording {
        static let control = "control characters are not allowed"
        static let trailing = "invalid trailing UTF-8 octet"
        static let endOfStream = "found unexpected end of stream"
        static let strayColon = "mapping values are not allowed in this context"
        static let documentMark = "found unexpected document indicator"
        static let listEnd = "did not find expected ',' or ']'"
        static let mappingEnd = "did not find expected ',' or '}'"

        /// The message.
        let expected: String
        /// The note at libyaml's context mark.
        let context: String?
        /// Whether the message appends the found token.
        var namesFound = true
        /// Whether the span is that of the context mark.
        var isAtContext = false
        /// Whether the error is about a tag, which is not supported.
        let isTag: Bool
        private var advice: String?

        init(_ problem: YAMLProblem) {
            context = Self.contextNote(problem.context)
            isTag = problem.text.contains("tag") || problem.context.contains("a tag")
            let (expected, advice) = Self.translation(of: problem.text)
            self.expected = expected ?? problem.text
            self.advice = advice
            namesFound = expected?.hasPrefix("expected") ?? false
            isAtContext = problem.context == "while scanning a simple key"
            if isAtContext { namesFound = false }
        }

        /// The help line, if there is one.
        func help(_ found: String) -> String? {
            advice?.replacing("FOUND", with: found)
        }

        private static func contextNote(_ context: String) -> String? {
            switch context {
            case "while parsing a block mapping", "while parsing a flow mapping":
                "the mapping begins here"
            case "while parsing a block collection", "while parsing a flow sequence":
                "the list begins here"
            case "while scanning a block scalar": "the text begins here"
            default: nil
            }
        }

        private static func translation(of problem: String) -> (String?, String?) {
            switch problem {
            case strayColon:
                (
                    "a `:` is not allowed here",
                    "start the key on a line of its own, or put quotes around the text"
                )
            case "block sequence entries are not allowed in this context",
                "mapping keys are not allowed in this context":
                ("a list or mapping cannot start here", "start it on a line of its own")
            case "found character that cannot start any token":
                ("a text cannot start like this", "put quotes around a text that starts with FOUND")
            case "could not find expected ':'":
                ("expected `:` after a key", "write `key: value`, or a list with `- ` in front")
            case "did not find expected key":
                ("expected a key", "keys of one mapping start in the same column")
            case "did not find expected '-' indicator":
                ("expected `-`", "the items of one list start in the same column")
            case listEnd: ("expected `,` or `]`", nil)
            case mappingEnd: ("expected `,` or `}`", nil)
            case "did not find expected node content": ("expected a value", nil)
            case "did not find expected <document start>": ("expected `---` or the end", nil)
            case "did not find expected alphabetic or numeric character":
                (
                    "expected a name of letters, digits, `-` and `_` after `&` or `*`",
                    "put quotes around a text that starts with `&` or `*`"
                )
            case "did not find expected comment or line break":
                ("expected the end of the line after `|` or `>`", nil)
            case "found an indentation indicator equal to 0":
                ("the indentation of a block text is at least 1", nil)
            case "found undefined tag handle": ("tags are not supported", "delete the tag")
            case "found incompatible YAML document":
                ("only `%YAML 1.1` and `%YAML 1.2` are supported", "delete the line")
            case "found duplicate %YAML directive":
                ("a second `%YAML` directive", "delete the line")
            default: (nil, nil)
            }
        }
    }
}
