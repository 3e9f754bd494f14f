import SpecDiagnostics

/// Translates an error of libyaml to a diagnostic.
struct YAMLProblemReport {
    let file: SourceFile
    let source: YAMLSource
    /// The size of the byte order mark, which libyaml does not see.
    let base: Int

    /// The diagnostic for a problem.
    func diagnostic(for problem: YAMLProblem, _ offsets: inout ByteOffsets) -> Diagnostic {
        if let offset = problem.byteOffset { return encoding(problem, at: base + offset) }
        let mark = base + offsets.offset(of: problem.mark)
        let context = base + offsets.offset(of: problem.contextMark)
        if let tabs = source.indentationTabs(at: mark), problem.text != Wording.endOfStream {
            return Diagnostic(
                .tabIndentation, "expected spaces as indentation, found a tab",
                at: file.span(tabs), help: "replace each tab by spaces")
        }
        return lookalike(mark, context) ?? unclosed(problem, mark: mark, context: context)
            ?? escape(problem, mark: mark, context: context) ?? missingColon(problem, mark)
            ?? general(problem, mark: mark, context: context)
    }
}

// MARK: - Encoding

extension YAMLProblemReport {
    private func encoding(_ problem: YAMLProblem, at offset: Int) -> Diagnostic {
        guard problem.text == Wording.control else { return notUTF8(problem, at: offset) }
        let span = file.span(offset..<source.characterEnd(at: offset))
        let scalar = file.text(of: span).unicodeScalars.first?.value ?? 0
        return Diagnostic(
            .controlCharacter, "the character U+\(hex(scalar, digits: 4)) is not allowed", at: span,
            help: "delete it, or write it as an escape in double quotes: `\"\(escape(scalar))\"`")
    }

    private func notUTF8(_ problem: YAMLProblem, at offset: Int) -> Diagnostic {
        var offset = min(offset, file.bytes.count - 1)
        if problem.text == Wording.trailing {
            // libyaml reports the missing continuation byte; the character starts before it.
            repeat { offset -= 1 } while offset > 0 && file.bytes[offset] & 0xC0 == 0x80
        }
        let byte = hex(UInt32(file.bytes[offset]), digits: 2)
        return Diagnostic(
            .notUTF8, "expected UTF-8, found the byte 0x\(byte)",
            at: file.span(offset..<offset + 1),
            help: "save the file as UTF-8")
    }

    private func escape(_ scalar: UInt32) -> String {
        scalar < 0x100 ? "\\x\(hex(scalar, digits: 2))" : "\\u\(hex(scalar, digits: 4))"
    }

    private func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

// MARK: - Syntax

extension YAMLProblemReport {
    /// A quote or bracket that is open at the end of the file.
    private func unclosed(_ problem: YAMLProblem, mark: Int, context: Int) -> Diagnostic? {
        let isQuote = problem.text == Wording.endOfStream || problem.text == Wording.documentMark
        let isBracket = problem.text == Wording.listEnd || problem.text == Wording.mappingEnd
        guard isQuote || (isBracket && mark >= file.bytes.count) else { return nil }
        let span = file.span(context..<context + 1)
        let character = file.text(of: span)
        let found = problem.text == Wording.documentMark ? "document" : "file"
        return Diagnostic(
            .unclosed,
            "expected a closing `\(closing(character))`, found the end of the \(found)",
            at: span, label: "opened here")
    }

    private func closing(_ opening: String) -> String {
        switch opening {
        case "[": "]"
        case "{": "}"
        default: opening
        }
    }

    private func escape(_ problem: YAMLProblem, mark: Int, context: Int) -> Diagnostic? {
        switch problem.text {
        case "found unknown escape character":
            return Diagnostic(
                .escape, "unknown escape `\(escapeText(mark))` in double quotes",
                at: escapeSpan(mark), help: "write `\\\\` for a backslash, or use single quotes")
        case "did not find expected hexdecimal number":
            return Diagnostic(
                .escape, "expected hexadecimal digits in an escape, found \(found(mark))",
                at: character(mark), help: "write `\\x41`, `\\u0041` or `\\U00000041`")
        case "found invalid Unicode character escape code":
            return Diagnostic(
                .escape, "the escape names no Unicode character", at: character(mark),
                help: "write a character beyond U+FFFF as `\\U0001F600`, not as two halves")
        default: return nil
        }
    }

    private func escapeSpan(_ mark: Int) -> Span {
        file.span(mark..<source.characterEnd(at: mark + 1))
    }

    private func escapeText(_ mark: Int) -> String { file.text(of: escapeSpan(mark)) }

    private func general(_ problem: YAMLProblem, mark: Int, context: Int) -> Diagnostic {
        let wording = Wording(problem)
        let code: DiagnosticCode = wording.isTag ? .tag : .yamlSyntax
        let place = wording.isAtContext ? lineRest(context) : character(mark)
        let message = wording.expected + (wording.namesFound ? ", found \(found(mark))" : "")
        var notes: [Diagnostic.Note] = []
        if let note = wording.context, context < mark {
            notes.append(.init(note, at: character(context)))
        }
        let help = typeHelp(mark) ?? bracketHelp(problem, mark) ?? wording.help(found(mark))
        return Diagnostic(code, message, at: place, notes: notes, help: help)
    }

    /// A type such as `[User]?` is the most common text that YAML reads as a list with a suffix.
    private func typeHelp(_ mark: Int) -> String? {
        // In `[User] | null` libyaml consumes the `|`; in `[User]?` it stops at the bracket.
        let text = file.bytes[..<min(mark + 1, file.bytes.count)].suffix(100)
        let marks = [UInt8(ascii: "?"), UInt8(ascii: "|")]
        guard let sign = text.suffix(3).lastIndex(where: marks.contains) else { return nil }
        let before = text[..<sign].filter { $0 != UInt8(ascii: " ") }.suffix(2)
        guard before.last == UInt8(ascii: "]") || before.last == UInt8(ascii: "}") else {
            return nil
        }
        let quotes = "put quotes around a type that continues after a bracket: `\"[User]?\"`"
        guard before.contains(UInt8(ascii: "}")) else { return quotes }
        return "\(quotes), `\"{string: User}?\"`; \(NearMisses.objectInText)"
    }

    /// In flow collections, a text such as `a[0]` ends at its bracket.
    private func bracketHelp(_ problem: YAMLProblem, _ mark: Int) -> String? {
        guard [Wording.listEnd, Wording.mappingEnd].contains(problem.text), mark > 0,
            mark < file.bytes.count,
            file.bytes[mark] == UInt8(ascii: "[") || file.bytes[mark] == UInt8(ascii: "{")
        else { return nil }
        if file.bytes[mark...].prefix(2).elementsEqual("[]".utf8) {
            return "a list of a type is written in brackets: `[User]`"
        }
        return "inside `{ }` and `[ ]`, put quotes around a text with a bracket: `\"a[b]\"`"
    }

    func character(_ offset: Int) -> Span {
        guard offset < file.bytes.count else { return file.span(offset..<offset) }
        let isBreak = file.bytes[offset] == 0x0A || file.bytes[offset] == 0x0D
        return file.span(offset..<(isBreak ? offset : source.characterEnd(at: offset)))
    }

    private func lineRest(_ offset: Int) -> Span {
        var source = source
        source.offset = offset
        source.skipLine()
        return file.span(offset..<source.trimmedEnd(of: offset..<source.offset))
    }

    private func found(_ offset: Int) -> String {
        guard offset < file.bytes.count else { return "the end of the file" }
        let span = character(offset)
        switch file.text(of: span) {
        case "": return "the end of the line"
        case " ": return "a space"
        case "`": return "a backtick"
        case "\u{A0}": return "a no-break space"
        case let text: return "`\(text)`"
        }
    }
}
