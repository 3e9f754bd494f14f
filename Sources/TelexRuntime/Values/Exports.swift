// Replies and requests are made of what TelexJSON declares: `Nullable`, `JSONValue`, `Violation`. Whoever
// uses a client needs them, and need not know where they come from.
@_exported public import TelexJSON
