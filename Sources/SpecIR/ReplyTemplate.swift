/// The template of a method's replies: a good reply that tells what every reply has to look like.
public struct ReplyTemplate: Sendable, Equatable {
    /// The whole reply, with the rules of its values.
    public var reply: ExampleValue
    /// Whether it asks for more than the types and their rules, so that replies are checked against
    /// it, too.
    public var asksForMore: Bool
    /// Whether the types can read its value, so that it is an example.
    public var isExample: Bool

    /// Creates a template from its parts.
    public init(reply: ExampleValue, asksForMore: Bool, isExample: Bool) {
        self.reply = reply
        self.asksForMore = asksForMore
        self.isExample = isExample
    }
}
