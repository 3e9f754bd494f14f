/// A JSON value to print. Members keep their order, as in the document whose shape is reproduced.
indirect enum JSONNode {
    case object([(key: String, value: JSONNode)])
    case array([JSONNode])
    case text(String)
    /// A number, a Boolean or null, as it is printed.
    case literal(String)
    /// A member that is left out.
    case absent

    static func list(_ count: Int, _ element: (Int) -> JSONNode) -> JSONNode {
        .array((0..<count).map(element))
    }

    /// The text.
    ///
    /// - Parameter indentation: The spaces of a level; nil for no white space at all.
    func bytes(indentation: Int? = nil) -> [UInt8] {
        var text = ""
        print(to: &text, indentation: indentation, level: 0)
        return Array(text.utf8)
    }

    private func print(to text: inout String, indentation: Int?, level: Int) {
        func newLine(_ level: Int) {
            guard let indentation else { return }
            text += "\n" + String(repeating: " ", count: indentation * level)
        }
        func all<Item>(_ items: [Item], in ends: (String, String), _ body: (Item) -> Void) {
            text += ends.0
            for (index, item) in items.enumerated() {
                if index > 0 { text += "," }
                newLine(level + 1)
                body(item)
            }
            if !items.isEmpty { newLine(level) }
            text += ends.1
        }
        switch self {
        case .object(let members):
            let present = members.filter { if case .absent = $0.value { false } else { true } }
            all(present, in: ("{", "}")) { key, value in
                text += indentation == nil ? "\"\(key)\":" : "\"\(key)\": "
                value.print(to: &text, indentation: indentation, level: level + 1)
            }
        case .array(let elements):
            all(elements, in: ("[", "]")) {
                $0.print(to: &text, indentation: indentation, level: level + 1)
            }
        case .text(let value):
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            text += "\"\(escaped.replacing("\n", with: "\\n"))\""
        case .literal(let value): text += value
        case .absent: break
        }
    }
}

extension JSONNode: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
    ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    init(dictionaryLiteral members: (String, JSONNode)...) {
        self = .object(members.map { (key: $0.0, value: $0.1) })
    }

    init(arrayLiteral elements: JSONNode...) { self = .array(elements) }
    init(stringLiteral text: String) { self = .text(text) }
    init(booleanLiteral value: Bool) { self = .literal("\(value)") }
    init(nilLiteral: ()) { self = .literal("null") }
    init(_ number: Int) { self = .literal("\(number)") }
    init(_ value: Bool) { self = .literal("\(value)") }
}
