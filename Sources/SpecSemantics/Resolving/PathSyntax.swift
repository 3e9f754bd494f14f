import SpecDiagnostics
import SpecSyntax

/// The syntax of paths with placeholders: `users/{id}`, `files/{+path}`.
enum PathSyntax {
    /// An error of a path, with its UTF-8 offsets.
    struct Problem {
        let message: String
        let place: Range<Int>
        let help: String
    }

    static func problem(of path: String) -> Problem? {
        if let address = problem(ofAddress: path) { return address }
        if let reference = CredentialReference(path) {
            return Problem(
                message: "`\(reference.text)` is not a credential reference here",
                place: reference.place,
                help: "write `{name}`, and under `path` the type of `name` and "
                    + "`default: \(reference.text)`")
        }
        if let reference = CallReference.all(in: path).first {
            return Problem(
                message: "`\(reference.text)` is not a value of a call here",
                place: reference.place,
                help: "write `{name}`, and `path: { name: { const: \(reference.text) } }`")
        }
        if let braces = problem(ofBracesIn: path) { return braces }
        if let end = path.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            return Problem(
                message: "`\(path[end])` is not allowed",
                place: path.utf8Range(end..<path.index(after: end)),
                help: "send constants as `query: { name: { const: value } }`")
        }
        let scalars = path.unicodeScalars
        if let control = scalars.firstIndex(where: { $0.value < 0x20 || $0.value == 0x7F }) {
            return Problem(
                message: "it has a control character",
                place: path.utf8Range(control..<scalars.index(after: control)), help: "remove it")
        }
        return problem(ofSegmentsIn: path)
    }

    /// Rejects a path that begins with a scheme (RFC 3986 §3.1), because it would be appended to
    /// the server's URL.
    private static func problem(ofAddress path: String) -> Problem? {
        guard let colon = path.firstIndex(of: ":"), path[colon...].hasPrefix("://"),
            path.first?.isLetter == true,
            path[..<colon].allSatisfy({
                $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
            })
        else { return nil }
        return Problem(
            message: "it is a whole URL", place: 0..<path.utf8.count,
            help:
                "declare the server under `servers`, write `server: name` and the path after it; "
                + "a URL that the caller passes is one placeholder, `\"{url}\"`")
    }

    /// Rejects dot segments (RFC 3986 §5.2.4), also percent-encoded ones, so that a path stays
    /// below the server's URL.
    private static func problem(ofSegmentsIn path: String) -> Problem? {
        if path.first == "/" {
            return Problem(
                message: "it begins with `/`", place: 0..<1,
                help: "remove it: a path is appended to the server's URL")
        }
        let segment = path.split(separator: "/").first {
            [".", ".."].contains($0.lowercased().replacing("%2e", with: "."))
        }
        return segment.map {
            Problem(
                message: "the segment `\($0)` is not allowed",
                place: path.utf8Range($0.startIndex..<$0.endIndex),
                help: "write the resolved path")
        }
    }

    static func problem(ofBracesIn path: String) -> Problem? {
        var seen: Set<Substring> = []
        var rest = path[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let inner = rest.index(after: open)
            guard rest[open] == "{", let close = rest[inner...].firstIndex(of: "}") else {
                return Problem(
                    message: rest[open] == "{" ? "a brace is not closed" : "a brace is not opened",
                    place: path.utf8Range(open..<inner), help: PlaceholderNotation.help)
            }
            let place = path.utf8Range(open..<path.index(after: close))
            // `{+name}` keeps the slashes of its value (RFC 6570 §3.2.3).
            let name = rest[inner..<close].withoutPlus
            if let help = PlaceholderNotation.help(for: name) {
                return Problem(
                    message: "`{\(name)}` is not a placeholder", place: place, help: help)
            }
            if !seen.insert(name).inserted {
                return Problem(
                    message: "`{\(name)}` is repeated", place: place,
                    help: "use each placeholder once")
            }
            rest = rest[path.index(after: close)...]
        }
        return nil
    }

    /// The parameter that a placeholder declares: text, or a URL if it is the whole path.
    static func parameter(_ name: String, of path: Located<String>) -> ParameterSyntax {
        let type = path.value == "{\(name)}" ? "url" : "string"
        return ParameterSyntax(
            key: Located(name, at: path.span), location: .path,
            type: TypeSyntax(.named(type), at: path.span))
    }

    /// The names of the placeholders of a path without errors in its braces, in order.
    static func placeholders(of path: String) -> [String] {
        (braced(path) ?? []).map { String($0[...].withoutPlus) }
    }

    /// The texts in braces, or `nil` if braces do not pair up.
    static func braced(_ text: String) -> [String]? {
        var names: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{",
                let close = rest[rest.index(after: open)...].firstIndex(of: "}")
            else { return nil }
            names.append(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return names
    }
}

extension Substring {
    /// The name of a placeholder without the operator that keeps slashes.
    fileprivate var withoutPlus: Substring { first == "+" ? dropFirst() : self }
}
