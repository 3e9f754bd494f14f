import SpecSyntax

/// A reference to a value of a call, `$method.name` or `$call.id`, or a misspelt one, inside a text.
struct CallReference {
    /// The text of the reference.
    let text: Substring
    /// Its UTF-8 offsets.
    let place: Range<Int>

    /// Finds all references in a text.
    static func all(in whole: String) -> [CallReference] {
        // Most texts have no reference, and searching for a pattern is slow.
        guard whole.utf8.contains(UInt8(ascii: "$")) else { return [] }
        return whole.matches(of: #/\$(?i:method|call)\.[A-Za-z_]*/#).map {
            CallReference(text: $0.output, place: whole.utf8Range($0.range))
        }
    }
}
