import SpecIR

/// The form of a value, as far as it depends on no other value. The parser reads it; a JSON Schema is
/// written from it.
indirect enum ValueForm: Sendable {
    /// Any value.
    case any
    /// Nothing, as behind `get:`.
    case null
    /// A scalar that may be an empty text in quotes.
    case scalar
    /// A text that is not empty; a number or a Boolean without quotes counts as one.
    case text
    /// `true` or `false`
    case flag
    /// `true` alone.
    case isTrue
    /// One of some words.
    case words([String])
    /// An integer within bounds.
    case integer(ClosedRange<Int>)
    /// A number; if positive, above 0.
    case number(isPositive: Bool)
    /// A text that a regular expression of ECMA 262 matches as a whole.
    case matching(String)
    /// A type in short or long form.
    case type
    /// A mapping with keys of the language, if a mapping has some keys and lacks others; otherwise
    /// another form.
    case told(MappingSchema, by: [String], without: [String] = [], otherwise: ValueForm)
    /// A mapping with keys of the language.
    case mapping(MappingSchema)
    /// A mapping whose keys are names that the author chooses, with bounds of their number.
    case named(ValueForm, least: Int = 0, most: Int? = nil)
    /// A list, with bounds of its length.
    case list(ValueForm, least: Int = 0, most: Int? = nil)
    /// One of several forms.
    case either([ValueForm])
}

extension ValueForm {
    /// All words of an enumeration.
    static func words<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type) -> Self {
        .words(Word.allCases.map(\.rawValue))
    }

    /// All words of a set of forms.
    static func words<Form: WordedForm>(of _: Form.Type) -> Self { .words(Form.words.map(\.key)) }

    /// A value, or a list of values.
    static func oneOrMore(_ form: Self) -> Self { .either([form, .list(form)]) }

    /// The word `none`, or another form.
    static func noneOr(_ form: Self) -> Self { .either([.words(["none"]), form]) }

    /// A number of calls and the like.
    static let count = integer(1...Quantity.maximumCount)
    static let status = integer(100...599)
    static let statuses = either([statusOrRange, .list(statusOrRange, least: 1)])
    private static let statusOrRange = either([status, matching(range)])
    private static let range = "[1-5][0-9]{2}(\\.\\.[1-5][0-9]{2})?"

    // MARK: Quantities

    private static let units = "(?:ms|s|m|h|d)"
    private static let digits = "(?=[0-9.]*[1-9])[0-9]*\\.?[0-9]*"
    static let duration = matching(digits + units)
    static let size = either([
        integer(1...Int(Int32.max)), matching(digits + "(?:[KMG]i?B|B)?"),
    ])
    static let percent = matching("0*(?:100|[0-9]?[0-9])%")
    static let rateText = matching(
        "0*[1-9][0-9]*/(?:min|(?:\(digits))?\(units))(?: burst 0*[1-9][0-9]*)?")
    static let rate = either([rateText, .mapping(.rate)])
    static let factor = either([number(isPositive: true), matching("[0-9.]+")])
    static let backoff = either([
        matching("\(digits)\(units)(?: +(?:x[0-9.]+|±[0-9]+%|max +\(digits)\(units)))*"),
        .mapping(.backoff),
    ])

    // MARK: Paths

    /// A key of a path: no number alone, and no index of a list.
    private static let key =
        "(?![0-9]+(?:[.|\\s]|$))(?:[^.\\[|]|\\[(?!(?:-?[0-9]*|\\*)\\]))+"
    private static let keys = "\(key)(?:\\.\(key))*"
    private static let keyPathText = matching(keys)
    /// A key path; without quotes, a key may read like a Boolean or a negative number.
    static let keyPath = either([
        keyPathText, .flag, .integer(Int(Int32.min)...(-1)), .list(.text),
    ])
    /// A key path with at least one key.
    static let place = either([
        keyPathText, .flag, .integer(Int(Int32.min)...(-1)), .list(.text, least: 1),
    ])
    static let keyPathList = either([keyPathText, .list(.either([keyPathText, .list(.text)]))])
    static let keyPaths = either([matching("\(keys)(?: *\\| *\(keys))*"), keyPath])
    private static let index = "\\[(?:-?[0-9]+|\\*|\\?)\\]"
    private static let step =
        "(?:(?![0-9]+(?:[.\\[]|$))[^.\\[]+(?:\(index))*|(?:\(index))+)"
    /// A path that may go through lists.
    static let path = either([matching("\(step)(?:\\.\(step))*"), keyPath])

    // MARK: Texts

    static let mediaType = matching(
        "(\\*/\\*|[A-Za-z0-9!#$&^_.+-]+/([A-Za-z0-9!#$&^_.+-]+|\\*))")
    /// The name of a type and the signs around it. Whether its brackets match is not told.
    static let typeText = matching(
        "[^\\x00-\\x1F!-,/:->?@\\\\\\]^`|}~][^\\x00-\\x1F!-+/;=@\\\\^`~]*")
    /// A method without a key of its own, and a path.
    static let otherVerb = matching(
        "(?!(?:\(unusableVerbs))(?: |$))[A-Z][A-Z0-9-]*(?: .*)?")
    private static let unusableVerbs =
        (HTTPVerb.keys.map { $0.uppercased() } + HTTPVerb.unsendable).joined(separator: "|")
    /// A media type of a body, perhaps with parameters.
    static let mediaTypeOfBody = matching("[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(?:;[ -~]*)?")
    /// The name of a file in `templates`.
    static let fileName = matching("[^./][^/]*")
    /// The path behind a verb, which may be empty.
    static let verbPath = either([.null, .scalar])

    // MARK: Sections

    /// A field of an object, which may be a lookup.
    static let field = told(.join, by: ["join", "in"], otherwise: .type)
    /// A header field of a reply, which may be the address of a link.
    static let replyHeader = told(.link, by: ["link"], without: ["type"], otherwise: .type)
    /// Parameters by name.
    static let parameters = either([.null, .named(.type)])
    /// Values of every request: constants, or types in braces.
    static let constants = either([.null, .named(.either([.scalar, .type]))])
    /// The values of a reply that a state has, by their paths.
    static let conditions = noneOr(
        .named(.either([.scalar, .list(.scalar, least: 1)]), least: 1))
    /// Failures after which a call is repeated.
    static let repeated = oneOrMore(.either([statusOrRange, .matching("[^0-9].*")]))
    static let expired = noneOr(
        .oneOrMore(.either([.status, .mapping(.expired)])))
    static let refresh = either([
        .words(["app"]), .mapping(.refresh), .mapping(.tokenMethod), .mapping(.handedOut),
    ])
    static let refreshMembers = named(.either([.text, .mapping(.refreshMember)]))
    /// The values of an enumeration.
    static let choices = either([
        .scalar, .list(.scalar),
        .named(.either([.scalar, .mapping(.enumCase)])),
    ])
    static let deprecated = either([.flag, .text, .mapping(.deprecation)])

    /// The argument of a rule, and its long form.
    static func rule(_ name: RuleName) -> Self {
        if name == .own { return either([.text, .mapping(.ownRule)]) }
        let argument = argument(name.row.argument)
        return either([argument, .mapping(.rule(argument))])
    }

    /// The words that may be the argument of a rule; empty if it is of another form.
    static func words(of rule: RuleName) -> [String] {
        switch argument(rule.row.argument) {
        case .words(let words): words
        case .isTrue: ["true"]
        default: []
        }
    }

    private static func argument(_ kind: RuleArgument.Kind) -> Self {
        switch kind {
        case .flag: .isTrue
        case .number: .number(isPositive: false)
        case .divisor: .number(isPositive: true)
        case .count: .integer(0...Int(Int32.max))
        case .text, .pattern, .field, .date, .check: .text
        case .choices: .list(.any, least: 1)
        case .format: .words(RuleName.formats)
        case .seconds: duration
        case .size: size
        case .mimeTypes: oneOrMore(matching("[^/ ]+/[^/ ]+"))
        case .literal: .any
        }
    }
}
