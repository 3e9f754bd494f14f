public import TelexJSON
import TemplateRules

@_exported public import enum TemplateRules.TemplateCompatibility

/// A good reply of a method, kept beside the spec, that tells what every reply has to look like.
///
/// It is JSON, and may have comments. Every key of it must be in a reply, with a value of the same
/// kind; other keys of a reply are ignored. The elements of a list have to be like those in the
/// template: a key that only some of these have may be missing. Null says nothing about a value.
///
/// The value of a key may have rules beside it:
///
/// ```json
/// { "age": 20, "age-Rules": { "minimum": 18, "maximum": 27 } }
/// ```
public struct Template: Sendable {
    /// The template without rules: an example of a reply.
    public let sample: JSONValue
    /// The mistakes that do not prevent its use, such as a value that breaks its own rule.
    public let warnings: [TemplateMistake]
    /// The meaning of its rules.
    public let compatibility: TemplateCompatibility

    private let shape: TemplateCheck

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - bytes: The text, UTF-8.
    ///   - file: The name of its file. With it, a violation of a rule names the place of the rule.
    ///   - compatibility: The meaning of the rules.
    /// - Throws: ``TemplateError`` if it is no JSON, larger than 8 MiB, nested deeper than 128
    ///   levels, or has a mistake in its rules.
    public init(
        parsing bytes: [UInt8], of file: String? = nil,
        compatibility: TemplateCompatibility = .documented
    ) throws(TemplateError) {
        let lines = TemplateLines(bytes)
        let root: TemplateNode
        do {
            root = try TemplateParser.parse(bytes)
        } catch {
            throw TemplateError([TemplateMistake(error, lines)])
        }
        let reading = TemplateReading(root, compatibility: compatibility)
        let mistakes = reading.problems.filter { !$0.isWarning }
        guard mistakes.isEmpty else {
            throw TemplateError(mistakes.map { TemplateMistake($0, lines) })
        }
        sample = JSONValue(reading.sample)
        warnings = reading.problems.map { TemplateMistake($0, lines) }
        self.compatibility = compatibility
        shape = TemplateCheck(reading.shape) { range in
            let place = lines.place(of: range.lowerBound)
            return file.map { "the rule at \($0):\(place.line):\(place.column)" }
        }
    }

    /// Checks a reply in one pass. All violations are reported, with the same words as those of
    /// generated models. Values of keys with the usual names of secrets, such as `access_token`, are
    /// hidden.
    ///
    /// - Parameters:
    ///   - reply: JSON, UTF-8.
    ///   - path: The steps to the part of the reply that the template describes.
    ///   - checks: The checks to make.
    ///   - limits: Limits of size, depth and number of violations.
    /// - Returns: The violations, and the syntax error if the reply is no JSON.
    public func validate(
        _ reply: [UInt8], at path: [JSONStep] = [], checks: JSONChecks = .all,
        limits: JSONLimits = JSONLimits()
    ) -> ValidationReport {
        var report = JSONReader.read(reply, at: path, limits: limits, checks: checks) {
            json -> Bool? in
            shape.check(&json)
        }.report
        report.violations = report.violations.map { $0.hidingSecrets() }
        return report
    }

    /// Checks a value of JSON, as ``validate(_:at:checks:limits:)`` does.
    public func validate(_ reply: JSONValue, checks: JSONChecks = .all) -> ValidationReport {
        var json = JSONWriter()
        reply.write(to: &json)
        return validate(json.bytes, checks: checks)
    }
}
