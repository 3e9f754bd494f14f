import TelexJSON
import TelexTemplates
import TemplateRules

/// The text of a template as it is written to disk.
struct TemplateText: Sendable {
    let bytes: [UInt8]

    /// Checks a template.
    ///
    /// - Parameters:
    ///   - text: The text, if it is to stay as it is; otherwise the template is indented.
    ///   - method: The method whose template it is, for the error.
    init(
        _ template: TemplateNode, text: [UInt8]? = nil, of method: String,
        _ compatibility: TemplateCompatibility
    ) throws(TemplaterError) {
        guard !template.isEmpty else { throw TemplaterError(method, .emptyReply) }
        bytes = text ?? Array("\(template.indented())\n".utf8)
        do throws(TemplateError) {
            _ = try Template(parsing: bytes, compatibility: compatibility)
        } catch {
            throw TemplaterError(method, .corrupt(error.summary))
        }
    }

    /// Checks a template and indents it. One with comments stays as it is.
    init(
        checking text: [UInt8], of method: String, _ compatibility: TemplateCompatibility
    ) throws(TemplaterError) {
        let hasComments = JSONReader.syntaxError(in: text, limits: .ofTemplates) != nil
        let template = try TemplateNode(parsing: text, of: method)
        try self.init(template, text: hasComments ? text : nil, of: method, compatibility)
    }
}

extension JSONLimits {
    /// The limits of the parser of templates.
    static let ofTemplates = JSONLimits(
        bytes: TemplateParser.sizeLimit, depth: TemplateParser.depthLimit)
}

extension TemplateNode {
    /// Parses a text.
    ///
    /// - Parameter method: The method whose template or reply it is, for the error.
    init(parsing text: [UInt8], of method: String) throws(TemplaterError) {
        let isBlank = text.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard !isBlank else { throw TemplaterError(method, .emptyReply) }
        do throws(TemplateSyntaxError) {
            self = try TemplateParser.parse(text)
        } catch {
            throw TemplaterError(
                method, .corrupt("at byte \(error.range.lowerBound), \(error.message)"))
        }
    }

    /// Whether any reply matches the value.
    fileprivate var isEmpty: Bool {
        switch value {
        case .null: true
        case .array(let items): items.isEmpty
        case .object(let members): members.isEmpty
        case .bool, .number, .string: false
        }
    }

    /// The text of the value with one line for each member and element.
    ///
    /// - Parameter start: What its lines begin with.
    fileprivate func indented(_ start: String = "\n") -> String {
        // Deep nesting must not make a text many times larger.
        let inner = start.utf8.count > 32 ? start : start + "  "
        switch value {
        case .array(let items) where !items.isEmpty:
            let lines = items.map { inner + $0.indented(inner) }
            return "[\(lines.joined(separator: ","))\(start)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.map { member in
                "\(inner)\(JSONValue.string(member.key)): \(member.value.indented(inner))"
            }
            return "{\(lines.joined(separator: ","))\(start)}"
        default: return JSONValue(self).description
        }
    }
}
