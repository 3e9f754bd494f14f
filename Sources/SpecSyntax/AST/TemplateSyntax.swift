import SpecDiagnostics
import SpecTemplateRules

/// A template: a good reply, kept as JSON in the folder `templates` of a spec.
public struct TemplateSyntax: Sendable {
    /// The name of the file in the folder.
    public var name: String
    /// The file.
    public var source: SourceFile
    /// The content; nil after a syntax error.
    public var content: TemplateNode?

    /// The ending of the name of each template.
    public static let ending = ".json"
}
